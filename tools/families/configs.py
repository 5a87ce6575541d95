"""Know the keys of a configuration class: their kinds, defaults, other names; and make configs.

Keys of nested configurations are dotted. An assignment is a flat dict of keys that differ from
the default; None means that the key is left out or null.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import itertools
import re
import sys
from collections.abc import Iterator
from typing import Any

import torch
import transformers
from transformers.configuration_utils import PreTrainedConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from reportgen.parameters import tensors
from tools.families import polynomials as poly
from tools.families import standins, tags

Assignment = dict[str, Any]
BORING = re.compile(
    r"(^|\.)(rope_(theta|scaling|parameters|type|interleaved?)|nested_rope\w*|initializer_\w+|"
    r"\w*token_ids?|\w*token_index|\w*tokens_ids?|dtype|torch_dtype|"
    r"is_heterogeneous|per_layer_config|id2label|label2id|architectures|output_attentions|"
    r"output_hidden_states|use_cache|return_dict|problem_type|transformers_version|"
    r"chunk_size_feed_forward|quantization_config|attn_implementation|experts_implementation|"
    r"name_or_path|auto_map|tie_last_hidden_states|suppress_tokens|begin_suppress_tokens|num_beams|"
    r"gradient_checkpointing|vocabulary_map)$|^_|^out_features$|^out_indices$|^stage_names$"
)
BORING_NUMBERS = re.compile(
    r"(^|[._])(dropout|dropouts|drop|layerdrop|eps|epsilon|std|momentum|coef|loss|cost|decay|"
    r"temperature)($|[._\d])"
)
DECLARED = {"_remove_final_layer_norm"}
SOURCE = "transformers.models."
TIED = "tie_word_embeddings"
PART = "part"


class Settings(dict[str, Any]):
    """Settings by dotted key; what is not there is None."""

    def __missing__(self, key: str) -> None:
        return None


@dataclasses.dataclass
class Key:
    """One key: what it is where nobody sets it, and what a value may look like."""

    name: str
    default: Any
    value: Any
    hint: str
    extra: bool = False

    @property
    def kind(self) -> str:
        """Return the kind of its values: int, bool, words, ..., or none."""
        value = self.value if self.default is None else self.default
        if isinstance(value, bool):
            return "bool"
        for kind in (int, float, str):
            if isinstance(value, kind):
                return kind.__name__
        if isinstance(value, (list, tuple)):
            if value and all(isinstance(each, str) for each in value):
                return "words"
            numbers = all(type(each) in (int, float, list, tuple) for each in value)
            return "numbers" if numbers else "flags" if _all_bool(value) else "other"
        return "none" if value is None else "other"

    @property
    def word_or_flag(self) -> bool:
        """Tell whether it is a flag that may be a word too: classes ask whether it `is True`."""
        return self.kind == "bool" and "str" in self.hint

    @property
    def boring(self) -> bool:
        """Tell whether the name says that no shape hangs on it."""
        number = self.kind in {"int", "float", "none", "numbers"}
        return bool(
            (BORING.search(self.name) and self.name not in DECLARED)
            or (number and BORING_NUMBERS.search(self.name))
        )


def _optional(cls: type[PreTrainedConfig], name: str) -> PreTrainedConfig | None:
    """Return what a part is of its own, where the class leaves it out unless a file has it."""
    spec = cls.sub_configs_defaults.get(name)
    if spec is None or not spec.optional:
        return None
    part = CONFIG_MAPPING[spec.model_type] if spec.model_type else spec.config_class
    return attempt(part) if issubclass(part, PreTrainedConfig) else None


def _plain(value: Any) -> bool:
    """Tell whether lists hold nothing that an expression made."""
    if isinstance(value, (list, tuple)):
        return not isinstance(value, tags.Joined) and all(map(_plain, value))
    return type(value) in (bool, int, float, str)


def _all_bool(values: Any) -> bool:
    return all(isinstance(each, bool) for each in values)


def attempt(function: Any, *args: Any) -> Any:
    """Return the result, or None where the library refuses."""
    try:
        return function(*args)
    except (KeyboardInterrupt, MemoryError):
        raise
    except (Exception, SystemExit):  # noqa: BLE001 - the library refuses as it likes
        return None


class Keys:
    """Every key of a configuration class, and the way from an assignment to a configuration."""

    def __init__(
        self,
        cls: type[PreTrainedConfig],
        never: frozenset[str] = frozenset(),
        parts: Assignment | None = None,
    ) -> None:
        self.cls, self.never = cls, never
        self.parts = parts or {}
        self.keys: dict[str, Key] = {}
        self.made: Assignment = {}
        self.fixed: Assignment = {}
        self.nodes: dict[str, tuple[type[PreTrainedConfig], bool]] = {}
        self.aliases: dict[str, str] = {}
        self.models: dict[str, str] = {}
        self.derived: dict[str, str] = {}
        self.needs: set[str] = set()
        # Parts that are not there where a file does not say so, each as it then is.
        self.optional: Assignment = {}
        self.links: dict[str, str] = {}
        self.indices: set[str] = set()
        self._walk(cls, cls(**self.parts), "")
        self._merge()
        labels = attempt(lambda: cls().num_labels) or 2
        self.keys["num_labels"] = Key("num_labels", labels, labels, "int")
        if "tie_word_embeddings" not in self.keys:
            tied = bool(getattr(cls(), "tie_word_embeddings", False))
            self.keys["tie_word_embeddings"] = Key("tie_word_embeddings", tied, tied, "bool", True)
        for alias, name in list(self.aliases.items()):
            if alias in self.keys and name not in self.keys:
                del self.aliases[alias]
                self.aliases[name] = alias
        self.spelled = {name: alias for name, alias in self.aliases.items() if alias in self.keys}
        self.links = dict(self._links())
        self._extras()
        self._fix_stages()
        self._derive()

    def __deepcopy__(self, memo: Any) -> Keys:
        return self

    # ---------------------------------------------------------------- what there is
    def _walk(self, cls: type[PreTrainedConfig], made: PreTrainedConfig, prefix: str) -> None:
        auto = bool(prefix) and self._is_auto(prefix)
        if prefix and (prefix[:-1] in self.parts or self._differs(cls, made)):
            self.needs.add(prefix[:-1])
        self.nodes[prefix] = cls, auto
        if auto:
            self.models[f"{prefix}model_type"] = cls.model_type
        for alias, name in cls.attribute_map.items():
            self.aliases[prefix + alias] = prefix + name
        for field in dataclasses.fields(cls):
            if field.name.startswith("__") or not field.init:
                continue
            value = attempt(getattr, made, field.name)
            part = value if value is not None else _optional(cls, field.name)
            if isinstance(part, PreTrainedConfig):
                self._walk(type(part), part, f"{prefix}{field.name}.")
            if isinstance(value, PreTrainedConfig):
                continue
            if part is not None and value is None:
                self.optional[prefix + field.name] = {}
                self.keys[prefix + field.name] = Key(prefix + field.name, None, None, PART)
                continue
            default = field.default
            if default is dataclasses.MISSING:
                factory = field.default_factory
                default = None if factory is dataclasses.MISSING else factory()
            name = prefix + field.name
            if not isinstance(default, (bool, int, float, str, list, tuple, type(None))):
                continue
            self.keys[name] = Key(name, default, value, str(field.type))
            self.made[name] = value

    def _differs(self, cls: type[PreTrainedConfig], made: PreTrainedConfig) -> bool:
        """Tell whether a part left out is not what its own class says."""
        alone = attempt(cls)
        if alone is None:
            return True
        names = [field.name for field in dataclasses.fields(cls) if field.init]
        return any(
            attempt(getattr, made, name) != attempt(getattr, alone, name)
            for name in names
            if not name.startswith("_")
            and not BORING.search(name)
            and not isinstance(attempt(getattr, made, name), PreTrainedConfig)
        )

    def _merge(self) -> None:
        """Take the defaults of parts that the whole fills into them, whatever a file leaves out."""
        bare = attempt(self.plain, {}) if self.needs else None
        for key in self.keys.values() if bare is not None else ():
            prefix = f"{key.name.rpartition('.')[0]}."
            if prefix[:-1] not in self.needs or key.boring:
                continue
            merged = attempt(reach, bare, key.name)
            alone = attempt(lambda cls=self.nodes[prefix][0]: cls())
            own = attempt(reach, alone, key.name.removeprefix(prefix))
            if merged is not None and merged != own:
                key.default = key.value = merged

    def _fix_stages(self) -> None:
        """Fix which stages of a backbone are read, where the whole puts others than its class."""
        for name in [each for each in self.keys if each.endswith("._out_features")]:
            start, made = name.removesuffix("_out_features"), self.made.get(name)
            own = attempt(lambda cls=self.nodes[start][0]: cls().out_features)
            if isinstance(made, list) and made and made != own:
                self.fixed[f"{start}out_features"] = self.made[f"{start}out_features"] = made
                self.needs.add(start[:-1])
                for last in ("out_features", "_out_features", "out_indices", "_out_indices"):
                    self.keys.pop(start + last, None)

    def _is_auto(self, prefix: str) -> bool:
        *parents, name = prefix[:-1].split(".")
        holder = self.nodes["".join(f"{parent}." for parent in parents)][0]
        spec = holder.sub_configs_defaults.get(name)
        return spec is None or not issubclass(spec.config_class, PreTrainedConfig)

    def _extras(self) -> None:
        """Find keys that a constructor takes though the class does not declare them."""
        pattern = r"""kwargs\.(?:pop|get|setdefault)\(\s*["'](\w+)["'](?:\s*,\s*([\w.]+))?"""
        for prefix, (cls, _) in list(self.nodes.items()):
            for base in cls.__mro__:
                if not base.__module__.startswith(SOURCE):
                    continue
                source = attempt(inspect.getsource, base) or ""
                for name, text in re.findall(pattern, source):
                    full = prefix + name
                    if full in self.keys or full in self.aliases or f"{full}." in self.nodes:
                        continue
                    value = {"True": True, "False": False}.get(text)
                    value = int(text) if text.isdigit() else value
                    self.keys[full] = Key(full, value, value, "extra", extra=True)

    def _derive(self) -> None:
        """Find what the class puts where a key is null, and old names of declared keys."""
        bare = self.configure(self.optional, traced=True)
        for key in self.keys.values():
            optional = key.default is None or "None" in key.hint
            if not optional or key.extra or key.boring:
                continue
            made = bare if key.default is None else None
            if made is None and type(key.default) is int:
                null: Assignment = {**self.optional, key.name: None}
                made = attempt(lambda null=null: self.configure(null, traced=True))
            value = attempt(reach, made, key.name)
            if isinstance(value, tags.Whole) and "~" not in poly.show(value.tag):
                self.derived[key.name] = poly.show(value.tag)
            elif key.default is None and self._is_fixed(key, value):
                self.derived[key.name] = repr(list(value))
        for key in list(self.keys.values()):
            if key.extra and key.default is None and not key.boring:
                self._old_name(key)
        for prefix in [prefix for prefix in self.nodes if prefix]:
            self._lifted(prefix)

    def _is_fixed(self, key: Key, value: Any) -> bool:
        """Tell whether a class puts the same list for null, whatever its other keys are."""
        if not isinstance(value, (list, tuple)) or not value or not _plain(value):
            return False
        prefix = key.name.rpartition(".")[0]
        others = [
            other
            for other in self.keys.values()
            if other.name.rpartition(".")[0] == prefix and type(other.value) is int
        ]
        made = [attempt(self.plain, {other.name: other.value * 2}) for other in others]
        return all(attempt(reach, each, key.name) == value for each in made if each is not None)

    def _lifted(self, prefix: str) -> None:
        """Find keys of a part that the whole also takes itself, as old files have them."""
        names = {
            name.removeprefix(prefix): key
            for name, key in self.keys.items()
            if name.startswith(prefix) and type(key.default) is int and not key.boring
        }
        plain = {name: key for name, key in names.items() if name not in self.keys}
        marked = {name: key.default + 1 for name, key in plain.items() if "." not in name}
        made = attempt(lambda: self.cls(**marked)) if marked else None
        for name, value in marked.items():
            if made is not None and attempt(reach, made, prefix + name) == value:
                self.aliases.setdefault(name, prefix + name)

    def _old_name(self, key: Key) -> None:
        prefix = key.name.rpartition(".")[0]
        marked = {key.name: tags.Whole(8, poly.atom(key.name))}
        with tracing():
            made = attempt(lambda: self.cls(**self.nest(marked)))
        for other in self.keys.values():
            if made is None or other.extra or other.name.rpartition(".")[0] != prefix:
                continue
            value = attempt(reach, made, other.name)
            if isinstance(value, tags.Whole) and value.tag == poly.atom(key.name):
                self.aliases[key.name] = other.name
                del self.keys[key.name]
                return

    def _links(self) -> Iterator[tuple[str, str]]:
        """Pair each list with the number that says how long it is."""
        for key in self.keys.values():
            value = key.value if key.value is not None else key.default
            if not isinstance(value, (list, tuple)) or not value:
                continue
            prefix = key.name.rpartition(".")[0]
            for other in self.keys.values():
                near = other.name.rpartition(".")[0] == prefix
                number = other.value if type(other.value) is int else None
                if (
                    near
                    and number == len(value)
                    and re.search("layer|depth|block|stage|levels|num_feat", other.name)
                ):
                    yield key.name, other.name
                    break

    def hold(self, change: Assignment) -> None:
        """Take it that keys without a default look as a change has them, lists as long as it is."""
        for name, value in change.items():
            if name in self.keys and self.keys[name].value is None:
                self.keys[name].value = value
        self.links = dict(self._links())

    def spoken(self, name: str) -> list[str]:
        """Return the words that the type or the source names beside a key."""
        hint = self.keys[name].hint
        words = re.findall(r"""["']([\w-]+)["']""", hint) if "Literal" in hint else []
        last = name.rpartition(".")[2]
        lines = [
            f"{line} {after}"
            for text in self._sources(name.rpartition(".")[0])
            for line, after in itertools.pairwise(text.splitlines())
            if re.search(rf"\b{last}\b", line)
        ]
        words += re.findall(r"""["'`]([A-Za-z][\w-]*)["'`]""", "\n".join(lines))
        return [word for word in dict.fromkeys(words) if word not in (last, "True", "False")][:8]

    def _sources(self, prefix: str) -> list[str]:
        cls = self.nodes.get(f"{prefix}." if prefix else "", self.nodes[""])[0]
        own = sys.modules[cls.__module__]
        other = sys.modules.get(cls.__module__.replace(".configuration_", ".modeling_"))
        return [attempt(inspect.getsource, module) or "" for module in (own, other) if module]

    # ---------------------------------------------------------------- configurations
    def value(self, name: str, given: Assignment) -> Any:
        """Return what a key is under an assignment; lists get the length that goes with it."""
        key = self.keys[name]
        value = given.get(name, key.default)
        length = self.links.get(name)
        if length and isinstance(value, (list, tuple)) and value and key.kind != "other":
            wanted = given.get(length, self.keys[length].value)
            if isinstance(wanted, int) and wanted != len(value) and name not in self.indices:
                value = [value[at % len(value)] for at in range(wanted)]
        return value

    def nest(self, flat: Assignment) -> dict[str, Any]:
        """Turn dotted keys into nested dicts, as a config.json has them."""
        nested: dict[str, Any] = {}
        for name, value in flat.items():
            *parents, last = name.split(".")
            node = nested
            for parent in parents:
                node = node.setdefault(parent, {})
            if value == {}:
                node.setdefault(last, value)
            else:
                node[last] = value
        for place in sorted(self.needs):
            node = nested
            for part in place.split("."):
                node = node.setdefault(part, {})
        for prefix, model in self.models.items():
            *parents, last = prefix.split(".")
            node = nested
            for parent in parents:
                node = node.get(parent) or {}
            if node or ".".join(parents) in self.needs:
                node[last] = model
        return nested

    def given(self, assignment: Assignment) -> Assignment:
        """Return what a config.json with this assignment holds, and no more."""
        names = set(assignment) | {
            name
            for name, length in self.links.items()
            if length in assignment and self.keys[name].default is not None
        }
        return self.fixed | {
            name: self.value(name, assignment)
            for name in names
            if name in self.keys
            and self.there(name, assignment)
            and not (assignment.get(name, 0) is None and self.keys[name].default is None)
        }

    def there(self, name: str, assignment: Assignment) -> bool:
        """Tell whether the parts are there that a key is in."""
        holders = (part for part in self.optional if name.startswith(f"{part}."))
        return all(assignment.get(part) is not None for part in holders)

    def plain(self, assignment: Assignment) -> PreTrainedConfig:
        """Make a configuration as a config.json with this assignment would."""
        return self.cls(**self.nest(self.given(assignment)))

    def configure(self, assignment: Assignment, *, traced: bool) -> PreTrainedConfig:
        """Make a configuration of which every key is given, and tagged."""
        flat: Assignment = dict(self.fixed)
        for name, key in self.keys.items():
            value = self.value(name, assignment)
            if value is None and not (name in assignment and key.default is not None):
                continue
            if not self.there(name, assignment):
                continue
            if key.extra and name not in assignment and (key.boring or value is None):
                continue
            if key.extra and name == "tie_word_embeddings" and name not in assignment:
                continue
            bare = key.boring or key.kind == "other" or key.word_or_flag or key.hint == PART
            flat[name] = value if bare else tags.tagged(value, name)
        labels = flat.pop("num_labels", 2)
        with tracing() if traced else contextlib.nullcontext():
            config = self.cls(**self.nest(flat), num_labels=tags.plain(labels))
            config.__dict__["_tagged_labels"] = labels
            self._place(config, "")
        return config

    def _place(self, config: Any, prefix: str) -> None:
        config.__dict__["_place"] = self, prefix
        for field in dataclasses.fields(config):
            value = config.__dict__.get(field.name)
            if isinstance(value, PreTrainedConfig):
                self._place(value, f"{prefix}{field.name}.")

    def filled(self, assignment: Assignment) -> Assignment:
        """Add what stands for null keys, so that a traced build names the keys themselves."""
        added = dict(assignment)
        made = self.plain(assignment)
        for name in self.derived:
            if assignment.get(name, self.keys[name].default) is None:
                value = attempt(reach, made, name)
                if value is None and self.keys[name].extra:
                    value = self.settings(assignment)[name]
                if type(value) is int:
                    added[name] = value
        return added

    def settings(self, assignment: Assignment) -> Settings:
        """Return what the shipped side makes of this assignment."""
        defaults = {name: key.default for name, key in self.keys.items()}
        defaults[tensors.VERSION] = transformers.__version__
        return Settings(tensors.filled(defaults, self.derived, self.given(assignment)))


def reach(config: Any, path: str) -> Any:
    """Return the attribute that a dotted key names."""
    for part in path.split("."):
        config = getattr(config, part)
    return config


@contextlib.contextmanager
def tracing() -> Iterator[None]:
    """Trace what is done inside, with no strict checks of types in the way."""
    standins.inject()
    tags.start()
    held = [
        (cls, name, getattr(cls, name))
        for cls in _strict_classes()
        for name in ("__validators__", "__class_validators__")
        if hasattr(cls, name)
    ]
    for cls, name, checks in held:
        setattr(cls, name, type(checks)())
    made = torch.FloatTensor
    torch.FloatTensor = standins.FloatTensor  # type: ignore[misc,assignment]
    try:
        yield
    finally:
        tags.stop()
        torch.FloatTensor = made  # type: ignore[misc]
        for cls, name, checks in held:
            setattr(cls, name, checks)


def _strict_classes() -> list[Any]:
    found, todo = [], [PreTrainedConfig]
    while todo:
        cls = todo.pop()
        todo.extend(cls.__subclasses__())
        if "__validators__" in vars(cls):
            found.append(cls)
    return found


_read = PreTrainedConfig.__getattribute__
_labels = PreTrainedConfig.num_labels.fget  # type: ignore[attr-defined]


def _num_labels(self: PreTrainedConfig) -> Any:
    number = _labels(self)
    held = self.__dict__.get("_tagged_labels")
    return held if tags.on and number is not None and held == number else number


PreTrainedConfig.num_labels = property(_num_labels, PreTrainedConfig.num_labels.fset)  # type: ignore[assignment,attr-defined]


def _note_missing(prefix: str, name: str) -> None:
    frame = tags.asking(3)
    ours = frame is not None and frame.f_globals.get("__name__", "").startswith(SOURCE)
    if ours or name == TIED:
        tags.journal.missing.add(prefix + name)
        tags.journal.note(f"{prefix}{name}==None", frame)


def _note_computed(full: str, value: Any) -> None:
    """Note an attribute that the class computes, unless a file gives it."""
    frame = tags.asking(3)
    ours = frame is not None and frame.f_globals.get("__name__", "").startswith(SOURCE)
    if ours and isinstance(value, (bool, int, float, str)):
        kind = "bool" if isinstance(value, tags.Verdict) else type(tags.plain(value)).__name__
        tags.journal.computed[full] = kind if kind in {"bool", "int", "float"} else "str"
        tags.journal.note(f"{full}==None", frame)


def _traced_read(self: PreTrainedConfig, name: str) -> Any:
    if not tags.on or name.startswith("__"):
        return _read(self, name)
    place = _read(self, "__dict__").get("_place")
    if place is None:
        return _read(self, name)
    keys, prefix = place
    real = _read(self, "attribute_map").get(name, name)
    real = keys.spelled.get(prefix + real, prefix + real).removeprefix(prefix)
    try:
        value = _read(self, name)
    except AttributeError:
        _note_missing(prefix, real)
        raise
    full = prefix + real
    held = _read(self, "__dict__").get("_tagged_labels")
    if full == "num_labels" and held is not None and type(value) is int and value == held:
        value = held
    key = keys.keys.get(full)
    if key is None:
        if name[0] != "_" and name in _read(self, "__dict__"):
            _note_computed(full, value)
        return value
    tags.journal.read.add(full)
    if value is None or key.default is None or "None" in key.hint:
        tags.journal.note(f"{full}{'==' if value is None else '!='}None", tags.asking())
    if key.word_or_flag and type(value) is bool:
        tags.journal.note(f"{full}==True", tags.asking())
    if isinstance(value, (list, tuple)) and not isinstance(value, tags.Listed):
        return tags.Listed(value, full) if not key.boring else value
    if type(value) is str and key.kind in ("str", "none") and not key.boring:
        return tags.Word(value, full)
    return value


_to_dict = PreTrainedConfig.to_dict


def _plain_dict(self: PreTrainedConfig) -> dict[str, Any]:
    """Leave out what tracing put into a configuration."""
    held = _to_dict(self)
    return {name: value for name, value in held.items() if name not in ("_place", "_tagged_labels")}


PreTrainedConfig.to_dict = _plain_dict  # type: ignore[method-assign]
PreTrainedConfig.__getattribute__ = _traced_read  # type: ignore[assignment,method-assign]


def config_class(model_type: str) -> type[PreTrainedConfig]:
    """Return the configuration class of a model type."""
    return CONFIG_MAPPING[model_type]  # type: ignore[no-any-return]


torch.set_grad_enabled(False)
sys.setrecursionlimit(20_000)

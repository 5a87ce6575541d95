"""Every work a section may cite, by key; the report prints only what it cites."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.languages import tell
from reportgen.records.document import (
    Block,
    Cite,
    Reference,
    References,
    Section,
    inlines,
    texts,
    walk,
)


def _work(key: str, text: str, url: str = "") -> Reference:
    return Reference(key=key, text=(text,), url=url)


WORKS = (
    _work(
        "roberta",
        "Y. Liu, M. Ott, N. Goyal, J. Du, M. Joshi, D. Chen, O. Levy, M. Lewis, L. "
        "Zettlemoyer and V. Stoyanov. RoBERTa: A robustly optimized BERT pretraining "
        "approach. arXiv:1907.11692, 2019.",
        "https://arxiv.org/abs/1907.11692",
    ),
    _work(
        "bert",
        "J. Devlin, M.-W. Chang, K. Lee and K. Toutanova. BERT: Pre-training of deep "
        "bidirectional transformers for language understanding. NAACL-HLT, 2019.",
        "https://arxiv.org/abs/1810.04805",
    ),
    _work(
        "transformer",
        "A. Vaswani, N. Shazeer, N. Parmar, J. Uszkoreit, L. Jones, A. N. Gomez, Ł. "
        "Kaiser and I. Polosukhin. Attention is all you need. NeurIPS, 2017.",
        "https://arxiv.org/abs/1706.03762",
    ),
    _work(
        "fairseq",
        "M. Ott, S. Edunov, A. Baevski, A. Fan, S. Gross, N. Ng, D. Grangier and M. Auli. "
        "fairseq: A fast, extensible toolkit for sequence modeling. NAACL-HLT "
        "(Demonstrations), 2019.",
        "https://arxiv.org/abs/1904.01038",
    ),
    _work(
        "transformers",
        "T. Wolf, L. Debut, V. Sanh, J. Chaumond, C. Delangue, A. Moi and others. "
        "Transformers: State-of-the-art natural language processing. EMNLP (System "
        "Demonstrations), 2020.",
        "https://arxiv.org/abs/1910.03771",
    ),
    _work(
        "lora",
        "E. J. Hu, Y. Shen, P. Wallis, Z. Allen-Zhu, Y. Li, S. Wang, L. Wang and W. Chen. "
        "LoRA: Low-rank adaptation of large language models. ICLR, 2022.",
        "https://arxiv.org/abs/2106.09685",
    ),
    _work(
        "qlora",
        "T. Dettmers, A. Pagnoni, A. Holtzman and L. Zettlemoyer. QLoRA: Efficient "
        "finetuning of quantized LLMs. NeurIPS, 2023.",
        "https://arxiv.org/abs/2305.14314",
    ),
    _work(
        "bloom",
        "BigScience Workshop. BLOOM: A 176B-parameter open-access multilingual language "
        "model. arXiv:2211.05100, 2022.",
        "https://arxiv.org/abs/2211.05100",
    ),
    _work(
        "adam",
        "D. P. Kingma and J. Ba. Adam: A method for stochastic optimization. ICLR, 2015.",
        "https://arxiv.org/abs/1412.6980",
    ),
    _work(
        "student",
        "Student. The probable error of a mean. Biometrika 6(1), 1–25, 1908.",
    ),
    _work(
        "welch",
        "B. L. Welch. The generalization of “Student’s” problem when several different "
        "population variances are involved. Biometrika 34(1–2), 28–35, 1947.",
    ),
    _work(
        "wilson",
        "E. B. Wilson. Probable inference, the law of succession, and statistical "
        "inference. Journal of the American Statistical Association 22(158), 209–212, "
        "1927.",
    ),
    _work(
        "grubbs",
        "F. E. Grubbs. Procedures for detecting outlying observations in samples. "
        "Technometrics 11(1), 1–21, 1969.",
    ),
    _work(
        "bonferroni",
        "O. J. Dunn. Multiple comparisons among means. Journal of the American Statistical "
        "Association 56(293), 52–64, 1961.",
    ),
    _work(
        "dodge",
        "J. Dodge, S. Gururangan, D. Card, R. Schwartz and N. A. Smith. Show your work: "
        "Improved reporting of experimental results. EMNLP-IJCNLP, 2019.",
        "https://arxiv.org/abs/1909.03004",
    ),
)


def cite_works(blocks: tuple[Block, ...]) -> References | None:
    """Return the bibliography of what `blocks` cite, in order of first citation.

    Raises:
        KeyError: A section cites a key that no work has.
    """
    works = {work.key: work for work in WORKS}
    cited = tuple(works[key] for key in dict.fromkeys(_keys(blocks)))
    return References(entries=cited) if cited else None


def _keys(blocks: tuple[Block, ...]) -> Iterator[str]:
    for block in walk(blocks):
        for text in texts(block):
            yield from (node.key for node in inlines(text) if isinstance(node, Cite))


def references_section(body: tuple[Block, ...], appendix: tuple[Block, ...] = ()) -> Section | None:
    """Return the section of what is cited, or None where nothing is.

    It is the last one of the body, or of the appendix where only that cites.
    """
    references = cite_works((*body, *appendix))
    if references is None:
        return None
    return Section(
        id="references-section",
        title=tell("References"),
        blocks=(references,),
        appendix=not any(_keys(body)),
    )

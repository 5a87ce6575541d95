"""Words for the sizes of a model, in English, in French and in the spellings of programs."""

from __future__ import annotations

from reportgen.claims._setting_keys import MODEL, SHARE, TEXT, WHOLE, SettingKey, key

MODEL_KEYS: tuple[SettingKey, ...] = (
    key(
        "hidden_size",
        MODEL,
        WHOLE,
        names="""
            hidden dimension | hidden dim | hidden width | hidden units | hidden layer size |
            hidden state size | hidden state dimension | size of the hidden states | size of the
            hidden layers | hidden dimensionality | hidden embedding size | model dimension |
            model dim | model width | model size d | layer width | embedding dimension |
            embedding dim | embedding size | embedding width | embed dimension | embed dim |
            embed size | emb dim | emb size | dimension of embeddings | embedding dimensionality
            | d model | dim model | n hid | nhid | n embd | n embed | d hid | d hidden | d embed
            | d emb | encoder embed dim | encoder embedding dim | d embedding | encoder embed
            dimension | decoder embed dim | token embedding size | dimension of the model |
            dimension of the embeddings | size of the embeddings | dimension of the embedding |
            size of the embedding | hidden channels | taille cachée | dimension cachée |
            dimension du modèle | taille des embeddings | dimension des embeddings | dimension
            d'embedding | taille d'embedding | taille du modèle d | dimension de l'embedding |
            taille de la couche cachée | dimension des états cachés | taille des états cachés |
            nombre d'unités cachées
        """,
        units="""
            hidden units | hidden dimensions | dimensional hidden states | dimensional
            embeddings | dimensional hidden size | dimensional hidden state | dimensional
            embedding | dimensional token embeddings | dimensional vectors | unités cachées
        """,
        assigned="""
            width | largeur | d h
        """,
    ),
    key(
        "num_attention_heads",
        MODEL,
        WHOLE,
        names="""
            number of heads | number of attention heads | nb of attention head | nb of heads |
            attention head number | n head | n heads | nhead | nheads | num head | num heads |
            nb heads | no of heads | head count | n attention heads | num attention head |
            nombre de têtes | nombre de têtes d'attention | nb de têtes
        """,
        units="""
            headed | headed attention | headed attention heads | headed self attention | head
            attention | head self attention | head multi head attention | headed multi head
            attention
        """,
        assigned="""
            heads | attention heads | encoder attention heads | attn heads | multi heads | têtes
            d'attention
        """,
    ),
    key(
        "num_hidden_layers",
        MODEL,
        WHOLE,
        names="""
            number of layers | nb of layers | no of layers | total number of layers | num layers
            | num layer | n layers | n layer | nlayers | nlayer | nb layers | number of encoder
            layers | number of transformer layers | number of blocks | number of transformer
            blocks | number of hidden layers | number of stacks | num blocks | n blocks | nombre
            de couches | nombre total de couches | nb de couches | nombre de blocs
        """,
        assigned="""
            layers | encoder layers | decoder layers | transformer layers | hidden layers |
            transformer blocks | total layers | couches | depth
        """,
    ),
    key(
        "intermediate_size",
        MODEL,
        WHOLE,
        names="""
            feed forward dimension | feed forward dim | feed forward size | feed forward hidden
            size | feed forward inner dimension | feed forward width | feed forward network
            dimension | feed forward hidden dimension | feed forward layer size | feed forward
            network size | ffn dimension | ffn dim | ffn size | ffn width | ffn hidden size |
            ffn hidden dimension | ffn embed dimension | ffn embed dim | ffn embedding dimension
            | ffn inner dimension | ffn inner size | inner dimension | inner size | inner width
            | inner hidden size | intermediate dimension | intermediate width | d ff | d ffn |
            dim feedforward | dim feed forward | encoder ffn embed dim | decoder ffn embed dim |
            encoder ffn dim | mlp dimension | mlp dim | mlp size | mlp hidden size | mlp hidden
            dimension | n inner | ff dim | ff size | dimension du feed forward | taille du feed
            forward | dimension intermédiaire | taille intermédiaire | dimension du ffn | taille
            du ffn | dimension de la ffn | dimension interne | dimension of the ffn | dimension of
            ffn | size of the ffn | width of the ffn | inner dimension of the ffn | hidden size of
            the ffn | dimension of the feed forward | size of the feed forward | dimension of the
            feed forward network | dimension of the feed forward layer | size of the feed forward
            network | size of the feed forward layer
        """,
    ),
    key(
        "vocab_size",
        MODEL,
        WHOLE,
        names="""
            vocabulary size | vocabulary | vocab | size of vocabulary | size of the vocabulary |
            vocabulary of size | vocabulary length | dictionary size | n vocab | num vocab | d
            vocab | n tokens | ntokens | ntoken | n token | number of tokens in the vocabulary |
            number of tokens in vocabulary | vocabulary size of | number of embeddings | source
            vocabulary size | tokenizer vocabulary size | num embeddings | taille du vocabulaire
            | taille de vocabulaire | vocabulaire | vocabulaire de taille | taille du
            dictionnaire
        """,
        units="""
            token vocabulary | word vocabulary | subword vocabulary | tokens in the vocabulary |
            words in the vocabulary | tokens in vocabulary | vocabulary | vocabulary size |
            vocab | subwords in the vocabulary | mots dans le vocabulaire | tokens dans le
            vocabulaire | entries in the vocabulary | vocabulary items | vocabulary tokens |
            vocabulary entries
        """,
    ),
    key(
        "max_position_embeddings",
        MODEL,
        WHOLE,
        names="""
            max positions | maximum positions | maximum number of positions | max number of
            positions | number of positions | max position | max position embedding | source
            positions | n source positions | num source positions | max source positions | n
            positions | num positions | max target positions | number of position embeddings |
            number of positional embeddings | block size | context length | context size |
            context window | n ctx | positional embedding size | nombre de positions | nombre
            maximal de positions | maximum of positions | maximal number of positions | maximum de
            positions | n pos | num pos | longueur de contexte | taille du contexte
        """,
        units="""
            positions | position embeddings | positional embeddings
        """,
        assigned="""
            position embeddings | positional embeddings
        """,
    ),
    key(
        "head_dim",
        MODEL,
        WHOLE,
        names="""
            d k | d v | d head | d q | head dimension | head size | dimension per head |
            dimension of each head | dimension of the heads | per head dimension | size per head
            | d key | d value | dim head | dim per head | dimension par tête | taille de tête |
            dimension d'une tête | dimension des têtes
        """,
        units="""
            dimensions per head | dimensional heads
        """,
    ),
    key(
        "num_labels",
        MODEL,
        WHOLE,
        names="""
            number of classes | number of labels | n classes | num classes | num class | n
            labels | nb classes | nb of classes | output classes | nombre de classes | nombre
            d'étiquettes | num output classes
        """,
        units="""
            output classes
        """,
    ),
    key(
        "dropout",
        MODEL,
        SHARE,
        names="""
            dropout rate | dropout probability | dropout ratio | dropout prob | p drop | hidden
            dropout | hidden dropout prob | taux de dropout | dropout p | drop out | probabilité
            de dropout | classifier dropout
        """,
        units="""
            dropout | dropout rate | of dropout | de dropout
        """,
    ),
    key(
        "attention_dropout",
        MODEL,
        SHARE,
        names="""
            attention dropout rate | attention probs dropout prob | attention dropout
            probability | attn dropout | attn pdrop | dropout d'attention
        """,
    ),
    key(
        "hidden_act",
        MODEL,
        TEXT,
        names="""
            activation function | activation fn | activation | fonction d'activation
        """,
    ),
    key(
        "input_size",
        MODEL,
        WHOLE,
        names="""
            input dimension | input dim | taille d'entrée
        """,
    ),
    key(
        "output_size",
        MODEL,
        WHOLE,
        names="""
            output dimension | output dim | taille de sortie
        """,
    ),
)

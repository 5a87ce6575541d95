"""Everything that is read, under fire: files that are cut, flipped and made to lie."""

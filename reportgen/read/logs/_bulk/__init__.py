"""Event files read many records at a time, in numpy.

A scalar's record is some fifty bytes, of which all but twenty are the same each time its tag is
logged. So one record of a kind is decoded by the plain reader, and every other one like it is
taken from where its bytes must lie, thousands in one sweep:

    _windows   the file, a few megabytes at a time
    frames     where records begin, found by what a record's first bytes look like
    rhythm     where they are expected to begin, from the lengths of those before
    crc        checksums are linear, so constant bytes are one number: checksum and tag in one
    spots      where in a record of one kind the value lies, learnt from one record
    forms      the bits of a value as single or double precision
    known      what has been learnt: spots, and the keys of tags
    rows       records to columns of step, wall time and value
    batch      some thousand records: known ones together, others one by one
    points     the columns of a whole file
    reader     all of it together

Whatever looks otherwise goes to the plain reader, record by record.
"""

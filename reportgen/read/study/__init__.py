"""Study files: read with every mistake named, written with every key explained."""

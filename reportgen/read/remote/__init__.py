"""Object stores: what lies under a URL is copied into the cache before anybody reads it.

A listing is held against what earlier calls fetched; what is new is fetched by range, and a
folder of links appears by one rename. Whoever reads it reads files of this machine.
"""

"""Written reports held against their evidence: search to agree, bind to accuse."""

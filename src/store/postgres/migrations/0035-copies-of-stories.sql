-- Copies end with their original, and lose their words with it.
CREATE INDEX source_items_copies ON source_items (duplicate_of) WHERE duplicate_of IS NOT NULL;

-- Copies lose their words with their original.
CREATE INDEX source_items_copies ON source_items (duplicate_of) WHERE duplicate_of IS NOT NULL;

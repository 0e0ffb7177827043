CREATE INDEX ON incidents (published_at DESC, id DESC);
CREATE INDEX ON incidents (state, published_at DESC, id DESC);
CREATE INDEX ON incidents (type, published_at DESC, id DESC);
-- For four filters at once: the last two columns exclude a row without reading the table.
CREATE INDEX ON incidents (state, type, published_at DESC, id DESC, severity, confidence);
-- For boxes: the index contains everything needed to find a page.
CREATE INDEX ON incidents (lat, lng, published_at, id);

CREATE INDEX ON incidents (published_at DESC, id DESC);
CREATE INDEX ON incidents (state, published_at DESC, id DESC);
CREATE INDEX ON incidents (type, published_at DESC, id DESC);
-- Made for four filters at once: the last two columns let a row be refused without a look at the table.
CREATE INDEX ON incidents (state, type, published_at DESC, id DESC, severity, confidence);
-- Made for boxes: all that is needed to find a page is in the index.
CREATE INDEX ON incidents (lat, lng, published_at, id);

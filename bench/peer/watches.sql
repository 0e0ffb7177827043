-- Where a watch waits, under each of its LGAs, each of its states, each cell of a grid that its shape touches, or everywhere; beside
-- that all that its filter asks, null where it does not, so that one walk along the index decides. Shapes have longitude first. The
-- outline is in ten-thousandths of a degree, for PostgreSQL's polygons take what is nearer than a millionth for the same.
CREATE TABLE watch_keys (
  key            text COLLATE "C" NOT NULL,
  watch_id       integer NOT NULL,
  types          text[],
  severities     text[],
  min_confidence double precision,
  max_confidence double precision,
  box            box,
  circle_lat     double precision,
  circle_lng     double precision,
  radius_km      double precision,
  outline        polygon,
  PRIMARY KEY (key, watch_id)
);

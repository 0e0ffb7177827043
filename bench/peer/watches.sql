-- A watch's filter in columns: null where it does not ask. Shapes have longitude first. The outline is in ten-thousandths of a
-- degree, for PostgreSQL's polygons take what is nearer than a millionth for the same.
CREATE TABLE watches (
  id             integer PRIMARY KEY,
  types          text[],
  severities     text[],
  min_confidence double precision,
  max_confidence double precision,
  box            box,
  circle_lat     double precision,
  circle_lng     double precision,
  radius_km      double precision,
  outline        polygon
);

-- Where a watch waits: under each of its LGAs, each of its states, each cell of a grid that its shape touches, or everywhere.
CREATE TABLE watch_keys (
  key      text COLLATE "C" NOT NULL,
  watch_id integer NOT NULL,
  PRIMARY KEY (key, watch_id)
);

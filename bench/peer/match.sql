SELECT watch_id FROM watch_keys
WHERE key = ANY ($1::text[])
  AND (types IS NULL OR $2 = ANY (types))
  AND (severities IS NULL OR $3 = ANY (severities))
  AND (min_confidence IS NULL OR $4 >= min_confidence)
  AND (max_confidence IS NULL OR $4 <= max_confidence)
  AND (box IS NULL OR point($6::float8, $5::float8) <@ box)
  AND (radius_km IS NULL OR radius_km >= 2 * 6371.0088 * asin(least(1, sqrt(
        sin(radians($5::float8 - circle_lat) / 2) ^ 2
        + cos(radians(circle_lat)) * cos(radians($5::float8)) * sin(radians($6::float8 - circle_lng) / 2) ^ 2))))
  AND (outline IS NULL OR point(1e4 * $6::float8, 1e4 * $5::float8) <@ outline)

-- Each type of destination is registered by its store factory; the service rejects types that it does not know.
ALTER TABLE export.destinations DROP CONSTRAINT destinations_destination_type_check;

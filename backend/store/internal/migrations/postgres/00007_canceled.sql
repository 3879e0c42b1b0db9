-- +goose Up
-- A canceled proposal and a canceled run of a plan had another spelling in their JSON. A quote inside a text is escaped
-- there, so no text of a person matches.
UPDATE plans SET body = REPLACE(body, '"state":"cancelled"', '"state":"canceled"')
WHERE body LIKE '%"state":"cancelled"%';
UPDATE plan_proposals SET body = REPLACE(body, '"state":"cancelled"', '"state":"canceled"')
WHERE body LIKE '%"state":"cancelled"%';

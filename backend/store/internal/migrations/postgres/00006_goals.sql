-- +goose Up
-- A plan starts from a goal, and a proposal answers a request. Both had the older word in their JSON.
UPDATE plans SET body = REPLACE(body, '"wish":', '"goal":') WHERE body LIKE '%"wish":%';
UPDATE plan_proposals SET body = REPLACE(body, '"wish":', '"request":') WHERE body LIKE '%"wish":%';

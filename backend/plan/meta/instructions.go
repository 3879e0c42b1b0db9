package meta

// instructions describe each document to the planner. They ask for JSON: it is also YAML, so it fits the system
// prompt, and models quote it correctly more often.
var instructions = map[Protocol]string{
	PlanTask: `Read the task and its PRD and define the acceptance criteria: what must hold when the task is done, each one checkable.
Answer with one JSON document:
{"type":"plan_task","acceptance_criteria":[{"id":"AC-1","description":"…"}]}`,

	NextAction: `Decide what happens next in this task: run a worker, or mark the task complete. Mark it complete only if all acceptance criteria hold and the evidence shows it.
Answer with one JSON document, either
{"type":"next_action","decision":{"action":"run_worker","reason":"…"},"worker_call":{"worker_type":"codex-cli","mode":"exec","prompt":"what the worker is to do, step by step"}}
or
{"type":"next_action","decision":{"action":"mark_complete","reason":"…"}}
worker_type and mode are those of worker, where the input has it. worker_call may also hold: model (text), flags (list), env (object), tool_specific (object), use_stdin (true or false).`,

	CompletionAssessment: `Assess whether the acceptance criteria hold now.
Answer with one JSON document:
{"type":"completion_assessment","summary":"…","details":{"passed_criteria":["AC-1"],"remaining_risks":["…"]}}`,

	Decompose: `Break the goal in message down into tasks, in phases. existing_tasks and existing_wbs show what is planned already: do not plan it again, and refer to it by id where a new task depends on it.
Answer with one JSON document:
{"type":"decompose","understanding":"what the goal means","phases":[{"name":"…","milestone":"…","tasks":[{"id":"temp-1","title":"…","description":"…","acceptance_criteria":["…"],"dependencies":["temp-0 or the id of an existing task"],"wbs_level":3,"estimated_effort":"small","suggested_impl":{"language":"go","file_paths":["…"],"constraints":["…"]}}]}],"potential_conflicts":[{"file":"…","tasks":["…"],"warning":"…"}]}
wbs_level: 1 concept, 2 design, 3 implementation. estimated_effort: small, medium or large. dependencies, suggested_impl and potential_conflicts may be left out. Write texts in the language of the goal.`,

	PlanPatch: `Change the plan as the goal in message says, with as few operations as do it. Edit what is there rather than adding it again.
Answer with one JSON document:
{"type":"plan_patch","version":1,"payload":{"understanding":"what the goal means","operations":[…],"potential_conflicts":[]}}
Operations, applied in order:
{"op":"create","temp_id":"temp-1","title":"…","description":"…","acceptance_criteria":["…"],"dependencies":["id"],"wbs_level":3,"phase_name":"…","milestone":"…","suggested_impl":{"language":"…","file_paths":["…"],"constraints":["…"]},"parent_id":"id","position":{"after":"id"}}
{"op":"update","task_id":"id","title":"…"}: only the fields that change; a list that is given replaces the whole list.
{"op":"move","task_id":"id","parent_id":"id","position":{"index":0}}
{"op":"delete","task_id":"id","cascade":false}: the children take its place, or go with it if cascade is true.
position holds exactly one of index, before and after. Use ids of existing_tasks and temp_ids of this answer only. Write texts in the language of the goal.`,
}

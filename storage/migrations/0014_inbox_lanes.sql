-- In a direct message that conversations share, one that has to wait holds up none of the others:
-- events are in order a conversation.
DROP INDEX inbox_queue;
CREATE INDEX inbox_queue
  ON inbox_event (channel_id, coalesce(conversation_id, ''), position, rank, seq)
  WHERE state = 'queued' AND set_aside = 0;

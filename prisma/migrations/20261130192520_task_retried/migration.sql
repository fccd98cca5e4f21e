-- AlterEnum
ALTER TYPE "run_event_type" ADD VALUE 'task_retried';

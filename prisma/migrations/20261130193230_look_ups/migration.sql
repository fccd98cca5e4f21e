-- AlterEnum
ALTER TYPE "run_event_type" ADD VALUE 'outcome_looked_up';
ALTER TYPE "run_event_type" ADD VALUE 'look_up_requested';

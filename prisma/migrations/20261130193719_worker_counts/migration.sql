-- AlterTable
ALTER TABLE "worker_heartbeats" ADD COLUMN     "counts" TEXT;

-- CreateTable
CREATE TABLE "run_submissions" (
    "run_key" BIGINT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_submissions_pkey" PRIMARY KEY ("run_key","id")
);

-- AddForeignKey
ALTER TABLE "run_submissions" ADD CONSTRAINT "run_submissions_run_key_fkey" FOREIGN KEY ("run_key") REFERENCES "runs"("key") ON DELETE RESTRICT ON UPDATE CASCADE;

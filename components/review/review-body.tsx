import type { Review, ReviewVerdict } from "#kernel/view/review/answer";
import { AnswerCard } from "./answer-card";
import { VERDICTS, VerdictIcon } from "./verdict";

/** The questions at a glance at the left, each answer in full at the right. */
export const ReviewBody = ({ review }: { readonly review: Review }) => (
  <div className="flex gap-8 max-lg:flex-col max-lg:gap-4">
    <nav aria-label="Questions" className="w-64 flex-none max-lg:w-full">
      <div className="sticky top-4 max-lg:static">
        <p className="mb-2 text-small text-fg-2">{describeVerdicts(review)}</p>
        <ul className="flex flex-col max-lg:hidden">
          {review.answers.map(({ id, question, verdict }) => (
            <li key={id}>
              <a href={`#${id}`} className="flex gap-2 rounded-control px-2 py-1.5 text-small hover:bg-hover">
                <VerdictIcon verdict={verdict} />
                <span className="min-w-0 text-fg-2">{question}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
    <div className="flex min-w-0 flex-1 flex-col gap-4">
      {review.answers.map((answer) => (
        <AnswerCard key={answer.id} answer={answer} />
      ))}
    </div>
  </div>
);

const ORDER: readonly ReviewVerdict[] = ["yes", "partly", "no", "not_measured"];

/** "5 yes, 2 partly, 1 not measured". */
function describeVerdicts({ answers }: Review): string {
  return ORDER.flatMap((verdict) => {
    const count = answers.filter((answer) => answer.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${VERDICTS[verdict].word.toLowerCase()}`];
  }).join(", ");
}

import { PlanPicture } from "./plan-picture";
import { ProviderButton } from "./provider-button";
import { SignInForm } from "./sign-in-form";

/** The way in: the form, and beside it a picture of what is behind it. */
export interface SignInScreenProps {
  readonly back: string;
  /** An identity provider to sign in with, where one is set up. */
  readonly providerName?: string;
}

export const SignInScreen = ({ back, providerName }: SignInScreenProps) => (
  <main className="grid min-h-full bg-surface lg:grid-cols-[minmax(400px,5fr)_7fr]">
    <section className="flex flex-col justify-center px-8 py-12 sm:px-16">
      <div className="mx-auto w-full max-w-80">
        <div className="mb-10 flex items-center gap-2 text-title font-semibold">
          <Logo />
          Planwright
        </div>
        <h1 className="text-page">Sign in</h1>
        <p className="mt-1 mb-6 text-fg-3">See, question and sign what agents plan to do.</p>
        <SignInForm back={back} />
        {providerName === undefined ? null : <ProviderButton name={providerName} back={back} />}
        <p className="mt-6 text-small text-fg-3">
          The first start of this server printed an address and a password for each of its four people: an engineer, a
          reviewer, an approver and an admin.
        </p>
      </div>
    </section>
    <aside
      aria-hidden="true"
      className="relative hidden overflow-hidden border-l border-hairline bg-canvas lg:block"
      style={{ backgroundImage: "radial-gradient(var(--grid-dot) 1px, transparent 1px)", backgroundSize: "20px 20px" }}
    >
      <PlanPicture />
    </aside>
  </main>
);

const Logo = () => (
  <svg viewBox="0 0 22 22" aria-hidden="true" className="h-6 w-6" fill="none" stroke="currentColor" strokeWidth="2">
    <circle cx="5" cy="11" r="2.5" />
    <circle cx="17" cy="5" r="2.5" />
    <circle cx="17" cy="17" r="2.5" fill="currentColor" />
    <path d="M7.2 10 14.7 6M7.2 12l7.5 4" />
  </svg>
);

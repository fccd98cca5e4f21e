// Next.js runs this before the first module of a page.
import "@/components/ui/schemas-without-eval";

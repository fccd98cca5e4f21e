import { getServices } from "@/server/services";
import { handleApiRequest } from "@/server/trpc/handler";

/** Streams live as long as their reader. */
export const dynamic = "force-dynamic";

const handle = (request: Request): Promise<Response> => handleApiRequest(request, getServices());

export { handle as GET, handle as POST };

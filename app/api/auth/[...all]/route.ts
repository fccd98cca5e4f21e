import { processAuth } from "@/server/auth/process-auth";

const handle = (request: Request): Promise<Response> => processAuth().handler(request);

export { handle as GET, handle as POST };

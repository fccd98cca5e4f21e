/** An OpenAPI document of a small shop at `origin`: two operations that work, one that cannot be carried. */
export const shopDocument = (origin: string): object => ({
  openapi: "3.1.0",
  info: { title: "Corner Shop", version: "2.1", description: "Orders of a small shop." },
  servers: [{ url: origin }],
  security: [{ token: [] }],
  components: {
    securitySchemes: { token: { type: "http", scheme: "bearer", description: "Ask the shop for one." } },
    schemas: {
      Order: {
        type: "object",
        required: ["items"],
        properties: {
          items: {
            type: "array",
            minItems: 1,
            items: {
              type: "object",
              properties: { name: { type: "string" }, count: { type: "integer", minimum: 1 } },
              required: ["name"],
            },
          },
          note: { type: "string", maxLength: 200, description: "Shown to whoever packs it." },
        },
      },
    },
  },
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        summary: "List orders",
        parameters: [{ name: "status", in: "query", schema: { type: "string", enum: ["open", "paid"] } }],
        responses: { 200: { description: "Orders" } },
      },
      post: {
        operationId: "createOrder",
        summary: "Place an order",
        description: "Places an order. The key makes a repeat harmless.",
        parameters: [{ name: "Idempotency-Key", in: "header", schema: { type: "string" } }],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } },
        },
        responses: { 201: { description: "The order" } },
      },
    },
    "/orders/{orderId}": {
      parameters: [{ name: "orderId", in: "path", required: true, schema: { type: "string", maxLength: 40 } }],
      get: { operationId: "getOrder", summary: "Read an order", responses: { 200: { description: "The order" } } },
      delete: { operationId: "deleteOrder", summary: "Remove an order", responses: { 204: { description: "Gone" } } },
    },
    "/pictures": {
      post: {
        operationId: "addPicture",
        summary: "Add a picture",
        requestBody: { required: true, content: { "multipart/form-data": { schema: { type: "object" } } } },
        responses: { 201: { description: "Added" } },
      },
    },
  },
});

/** The format of an ID in a URL. No schema, so that the console's frame loads none: `pathId` of the kernel is the schema. */
export const pathIdPattern = /^[A-Za-z0-9_-]{1,128}$/

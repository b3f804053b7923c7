/** The service names (`service.name`) under which the product reports its own telemetry to the stack's collector. */
export const ownServices = { stack: 'stack', gateway: 'console-gateway' } as const

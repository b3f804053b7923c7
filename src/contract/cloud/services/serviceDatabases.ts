/** The engine's name of a service's database on the stack. Each service has its own databases in the engine. */
export function databaseOf(serviceId: string, database: string): string {
  const own = `service_${serviceId.replaceAll('-', '_')}`
  return database === 'default' ? own : `${own}_${database}`
}

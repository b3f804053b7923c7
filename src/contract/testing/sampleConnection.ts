/** Connections for tests. */
import type { Connection } from '../console/connections.ts'

/** A connection of the open source variant that anybody may write to. */
export const sampleConnection = (more: Partial<Connection> = {}): Connection => ({
  id: 'c1',
  name: 'Local',
  variant: 'openSource',
  baseUrl: 'https://deployment.invalid',
  naming: 'neutral',
  stage: 'development',
  readOnly: false,
  allowPrivate: false,
  createdAt: '',
  updatedAt: '',
  ...more,
})

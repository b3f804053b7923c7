/** What goes wrong on the way to a PostgreSQL server, in words without its address, user or password. */
import { DatabaseError } from 'pg'
import { StoreError } from './storeError.ts'

/** Reports of the server that are not about the statement, by their SQLSTATE. */
const reports: Record<string, string> = {
  '25006': 'takes no writes (it is read-only)',
  '28000': 'refuses the user',
  '28P01': 'refuses the password',
  '3D000': 'has no such database',
  '40001': 'is busy with other writes',
  '40P01': 'is busy with other writes',
  '42501': 'does not let this user make or change the tables',
  '53100': 'has no room left on its disk',
  '53200': 'has no memory left',
  '53300': 'has no connection left',
  '55P03': 'is busy with other writes',
  '57014': 'took too long',
  '57P03': 'is starting or shutting down',
}

/** Classes of SQLSTATE in which the server ends the connection. */
const endings = ['08', '57', '58', 'XX']

/** A failure of the way to the server as a StoreError; what the server says to a statement stays as it is. */
export function serverFailure(error: unknown): unknown {
  if (error instanceof StoreError) return error
  if (!(error instanceof DatabaseError)) return refused(`does not answer (${reasonOf(error)})`, error)
  const { code = '' } = error
  const report = reports[code]
  if (report !== undefined) return refused(report, error)
  if (code === '25P03' || endings.includes(code.slice(0, 2))) return refused(`ended the connection (${code})`, error)
  return error
}

/** At the start: an address of which a part cannot be used. */
export function unusableAddress(cause: unknown): StoreError {
  const code = systemCode(cause)
  const reason = code ? `a certificate or key that it names cannot be read (${code})` : 'verify-ca needs sslrootcert'
  return new StoreError('refused', `DATABASE_URL: ${reason}.`)
}

function refused(what: string, cause: unknown): StoreError {
  return new StoreError('refused', `The PostgreSQL server of DATABASE_URL ${what}.`, { cause })
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (/timeout/i.test(message)) return 'no answer in time'
  if (/does not support SSL/.test(message)) return 'it offers no TLS'
  return systemCode(error) ?? 'the connection broke'
}

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

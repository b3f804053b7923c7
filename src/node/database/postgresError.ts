/** Errors of a PostgreSQL server, in messages without its address, user or password. */
import { DatabaseError } from 'pg'
import { ServerUnreachable, StoreError } from './storeError.ts'

/** Errors of the server, by SQLSTATE, that are not about a statement. */
const reports: Record<string, string> = {
  '25006': 'is read-only',
  '28000': 'rejected the user',
  '28P01': 'rejected the password',
  '3D000': 'has no such database',
  '40001': 'is busy with other writes',
  '40P01': 'is busy with other writes',
  '42501': 'does not allow this user to create or change tables',
  '53100': 'has no space left on its disk',
  '53200': 'has no memory left',
  '53300': 'has no connection left',
  '55P03': 'is busy with other writes',
  '57014': 'took too long',
  '57P03': 'is starting or shutting down',
}

const starting = '57P03'
const noTls = 'no TLS support'

/** Classes of SQLSTATE in which the server ends the connection. */
const endings = ['08', '57', '58', 'XX']

/**
 * Turns failures of the connection into StoreErrors. Errors of statements are returned unchanged.
 * @param variable that has the server's address
 */
export function serverFailure(error: unknown, variable: string): unknown {
  const refused = (what: string) =>
    new StoreError('refused', `The PostgreSQL server of ${variable} ${what}.`, { cause: error })
  if (error instanceof StoreError) return error
  const passing = (what: string) =>
    new ServerUnreachable(`The PostgreSQL server of ${variable} ${what}.`, { cause: error })
  if (!(error instanceof DatabaseError)) {
    const reason = reasonOf(error)
    return reason === noTls ? refused(`cannot be reached (${reason})`) : passing(`cannot be reached (${reason})`)
  }
  const { code = '' } = error
  const report = reports[code]
  if (code === starting) return passing(String(report))
  if (report !== undefined) return refused(report)
  if (code === '25P03' || endings.includes(code.slice(0, 2))) return refused(`ended the connection (${code})`)
  return error
}

/** The error for a URL with an invalid part. */
export function unusableAddress(cause: unknown, variable: string): StoreError {
  const code = systemCode(cause)
  const reason = code ? `a certificate or key cannot be read (${code})` : 'verify-ca needs sslrootcert'
  return new StoreError('refused', `${variable}: ${reason}.`)
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (/timeout/i.test(message)) return 'timeout'
  if (/does not support SSL/.test(message)) return noTls
  return systemCode(error) ?? 'connection closed'
}

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

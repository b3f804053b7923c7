/** Errors of the engine, with messages for people: without stack traces and SQL. */
import { withoutEnd } from '#domain/text/withoutEnd.ts'

/** The engine failed. `code` and `type` are the engine's (47, `UNKNOWN_IDENTIFIER`). */
export class EngineError extends Error {
  override name = 'EngineError'
  readonly code: number
  readonly type: string

  constructor(code: number, type: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.type = type
  }
}

/** The caller's signal stopped the query. */
export class EngineAborted extends EngineError {
  override name = 'EngineAborted'
  constructor() {
    super(394, 'QUERY_WAS_CANCELLED', 'the query was cancelled')
  }
}

/** Rejects with EngineAborted as soon as the signal fires, even if the work still has to clean up. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const leave = () => reject(new EngineAborted())
    signal.addEventListener('abort', leave, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** The engine has too little at the moment of what all of its statements share. It says nothing about this one. */
export class EngineShortage extends EngineError {}

/** Too many queries wait for their turn. Nothing was read. */
export class EngineBusy extends EngineError {
  override name = 'EngineBusy'
  /** Seconds after which it is worth another try. */
  readonly retryAfter: number

  constructor(message: string, retryAfter: number) {
    super(0, 'BUSY', message)
    this.retryAfter = retryAfter
  }
}

/** There is no embedded engine for this machine. */
export class EngineMissing extends Error {
  override name = 'EngineMissing'
  constructor(cause: unknown) {
    super(
      'the embedded telemetry engine is not installed: its package "chdb" has builds for Linux (glibc) and macOS; ' +
        'elsewhere set CLICKHOUSE_URL to a ClickHouse server',
      { cause },
    )
  }
}

/** Any failure of a driver as an EngineError. */
export function translate(error: unknown): Error {
  if (error instanceof EngineError || error instanceof EngineMissing) return error
  if (isAbort(error)) return new EngineAborted()
  if (!(error instanceof Error)) return new EngineError(0, 'UNKNOWN', 'the telemetry engine failed')
  const { code, type } = codeOf(error)
  if (code === 394) return new EngineAborted()
  if (code === 0) return new EngineError(0, 'UNREACHABLE', unreachable(error), { cause: error })
  const text = firstLine(error.message)
  const shown = internals.test(text) ? withoutInternals(error.message, type) : text
  return new (isShortage(type, error.message) ? EngineShortage : EngineError)(code, type, shown)
}

const shortages: ReadonlySet<string> = new Set([
  'CANNOT_ALLOCATE_MEMORY',
  'CANNOT_SCHEDULE_TASK',
  'CANNOT_WRITE_TO_FILE_DESCRIPTOR',
  'NOT_ENOUGH_SPACE',
  'TOO_MANY_PARTS',
  'TOO_MANY_SIMULTANEOUS_QUERIES',
])
/** The message of a statement that exceeds its own memory limit, however much other statements use. */
const ownMemory = /Query memory limit exceeded|Memory limit \(for query\) exceeded/

function isShortage(type: string, message: string): boolean {
  return shortages.has(type) || (type === 'MEMORY_LIMIT_EXCEEDED' && !ownMemory.test(message))
}

/** Failures of a server that the engine asked, such as a bucket. The engine has many errors for it. */
const unreached =
  /connection (?:refused|reset|timed out)|(?:host|address) not found|no route to host|network is unreachable|proxy connection|timed? ?out|SSL|certificate|Net Exception/i

/** The text in place of a message with internals. */
function withoutInternals(message: string, type: string): string {
  if (unreached.test(message)) return `the server was not reached (${type})`
  const isUnsupported = /NOT_IMPLEMENTED|UNSUPPORTED|SUPPORT_IS_DISABLED/.test(type)
  return `the telemetry engine ${isUnsupported ? 'does not support this' : 'failed'} (${type})`
}

/** Whether the engine answers so because it shuts down after a fatal error, such as a signal in one of its threads. */
export function isFatal(error: Error): boolean {
  return error instanceof EngineError && error.type === 'ABORTED' && error.message.includes('shutting down')
}

/** Internals of the engine: names in its code, and files of its machine. */
const internals =
  /\b(?:DB|std|Poco|boost|arrow|Aws)::|displayText|\b0x[\da-f]{6,}|(?:^|[\s'"`(=:])\/(?:tmp|var|home|root|usr|etc|proc|opt|mnt|srv|data|app|build|Users|private)\//i

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** The client's error carries the engine's number as text. */
function codeOf(error: Error): { code: number; type: string } {
  const code = 'code' in error ? Number(error.code) : NaN
  const type = 'type' in error && typeof error.type === 'string' ? error.type : 'UNKNOWN'
  return { code: Number.isInteger(code) ? code : 0, type }
}

function unreachable(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return `the telemetry engine does not answer (${error.code})`
  if (/timeout|socket hang up/i.test(error.message)) return 'the telemetry engine did not respond in time'
  return 'the telemetry engine sent an unreadable response'
}

/** Where the engine's messages continue with internals. */
const internalParts = [
  / ?:? In scope /i,
  /[:.]? ?While (processing|executing)/i,
  / ?:? In query/i,
  /: ?\(?Expected one of/i,
  /\(version /,
]

function firstLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? ''
  const suggestion = /Maybe you meant: \[([^\]]*)\]/.exec(message)?.[1]
  const cut = Math.min(...internalParts.map((part) => part.exec(line)?.index ?? line.length))
  const text = withoutEnd(line.slice(0, cut).replace(/^Code: \d+\. (DB::Exception: )?/, ''), /[\s.:]/)
  return suggestion && !text.includes('Maybe you meant') ? `${text}; did you mean ${suggestion}?` : text
}

/** By the engine's error codes. */
const reasons: Readonly<Record<number, string>> = {
  6: 'a text cannot be converted to the type: use a function that ends in OrNull, such as toFloat64OrNull',
  27: 'a text cannot be converted to the type: use a function that ends in OrNull, such as toFloat64OrNull',
  32: 'a text is too short for the type: use a function that ends in OrNull',
  36: 'a function does not accept this argument',
  38: 'a text cannot be converted to a date: use toDateOrNull or parseDateTimeBestEffortOrNull',
  41: 'a text cannot be converted to a time: use toDateTimeOrNull or parseDateTimeBestEffortOrNull',
  42: 'a function has too many or too few arguments',
  43: 'a function does not accept values of this type: convert them, as in toString(…) or toFloat64OrNull(…)',
  44: 'a function needs a constant instead of a column',
  46: 'the function does not exist',
  47: 'the column does not exist',
  48: 'the engine does not support this',
  50: 'the type does not exist',
  53: 'values of these types cannot be compared: convert one of them, as in toString(…) or toFloat64OrNull(…)',
  69: 'an argument is out of bounds',
  70: 'a value cannot be converted to this type',
  72: 'a text cannot be converted to a number: use a function that ends in OrNull, such as toFloat64OrNull',
  125: 'a single value is expected here',
  131: 'a text would become too long',
  153: 'division by zero: avoid it, as in if(b = 0, 0, a / b)',
  158: 'too many groups: group by fewer fields, or by fields with fewer values',
  159: 'the query took too long: shorten the time range, or filter more',
  160: 'the query would take too long: shorten the time range, or filter more',
  179: 'a name is used twice',
  184: 'an aggregate is inside of another one, or where a value of one row is expected',
  190: 'the arrays have different lengths',
  215: 'a column is outside of an aggregate: use one, as in max(…) or any(…), or group by it',
  241: 'the query needs too much memory: shorten the time range, group by less, or filter more',
  349: 'a value that may be null cannot be converted: use coalesce(…)',
  386: 'these values have no common type: convert them, as in toString(…)',
}

/** The quoted name or value in the engine's message that comes from the user's text. */
function subjectIn(message: string, text: string): string | undefined {
  const quoted = [...message.matchAll(/`([^`]+)`|'([^']+)'|\bfunction (\w+)/gi)].map(([, ...found]) =>
    found.find(Boolean),
  )
  return quoted.find((part) => part !== undefined && text.includes(part))
}

/**
 * The message for an error of the engine, whose own text contains internals.
 * @param text the user's text, if known
 * @param otherwise the reason for an error that has no message here
 */
export function engineReason({ code, type, message }: EngineError, text = '', otherwise?: string): string {
  const reason = reasons[code] ?? otherwise ?? `the engine cannot do this (${type.toLowerCase().replaceAll('_', ' ')})`
  const subject = subjectIn(message, text)
  const suggestion = /did you mean '(\w[\w.]*)'/.exec(message)?.[1]
  return `${subject ? `"${subject}": ` : ''}${reason}${suggestion ? `; did you mean ${suggestion}?` : ''}`
}

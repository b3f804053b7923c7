/** Formats errors for people: a title, what happened, and what to do. */
import type { ApiError } from '#contract/wire/kernel.ts'
import { isHeld } from './approval.ts'
import { type ApiFailure, asFailure } from './failure.ts'
import { tooManyGroups, UnknownGroupsError } from './groupErrors.ts'

export interface ErrorText {
  title: string
  /** The outcome, in one sentence. */
  sentence: string
  /** The deployment's own error text, if the sentence does not contain it. */
  reason?: string
  /** The advice. */
  advice: string
  requestId?: string
  /** When another try makes sense, in epoch milliseconds. */
  retryAt?: number
  /** For pasting into a report; holds no key and no body. */
  bundle: string
  /** No fault: the change waits for approval. */
  isInfo?: true
}

type TitleAndAdvice = Pick<ErrorText, 'title' | 'advice'>

const words: Record<ApiError['code'], TitleAndAdvice> = {
  signedOut: { title: 'You are signed out', advice: 'Sign in again.' },
  keyRejected: {
    title: 'The deployment rejected the key',
    advice: 'Enter a valid key for this connection under Connections.',
  },
  forbidden: {
    title: 'Permission denied',
    advice: 'Use a key with permission for this operation, or contact an administrator.',
  },
  readOnly: {
    title: 'This connection is read-only',
    advice: 'Nothing was changed. Allow writes from the connection menu at the top of the page.',
  },
  notFound: { title: 'Not found', advice: 'It may have been deleted. Go back to the list.' },
  notOffered: {
    title: 'Not available on this deployment',
    advice: 'Its API does not have this endpoint. Another version or variant may have it.',
  },
  invalid: { title: 'Invalid input', advice: 'Correct the input and try again.' },
  conflict: { title: 'Changed by somebody else', advice: 'Reload it and review the changes before you save.' },
  dependency: {
    title: 'A dependency failed',
    advice: 'Check what the message names, then try again.',
  },
  rateLimited: {
    title: 'Rate limit exceeded',
    advice: 'Wait until the rate limit of this key resets.',
  },
  upstreamFailed: {
    title: 'The deployment returned an error',
    advice: 'Try again. If the error persists, check the deployment’s logs.',
  },
  unreachable: { title: 'No response', advice: 'Try again, or check the address of the connection.' },
  timeout: { title: 'Request timed out', advice: 'Nothing was changed. Try again, or request less data.' },
  outcomeUnknown: {
    title: 'Outcome unknown',
    advice: 'The request was sent, but no response arrived. Check the current state before you retry.',
  },
  malformedReply: {
    title: 'Unexpected response',
    advice: 'This console may not support the version of the deployment. Copy the details to report the problem.',
  },
  tooLarge: { title: 'Too large', advice: 'Send or request less data.' },
  notStored: {
    title: 'The console could not save this',
    advice:
      'Nothing was changed. Free disk space on the console’s server, or make its data directory writable, then try again.',
  },
  sentForApproval: { title: 'Sent for approval', advice: 'Somebody else must approve it.' },
  unavailable: {
    title: 'The console’s database is not available',
    advice:
      'Nothing was changed. Try again in a moment. If the error persists, check the database server of the console.',
  },
  blocked: { title: 'Blocked by the console', advice: 'Nothing was sent to the deployment.' },
  failed: { title: 'Something went wrong', advice: 'Reload the page. Copy the details to report the problem.' },
}

const unknownGroupsText: TitleAndAdvice = {
  title: 'Cannot group this chart',
  advice: 'Remove the grouping, or group by another field.',
}

const tooManyGroupsText: TitleAndAdvice = {
  title: 'Too many groups',
  advice: 'Group by a field with fewer values, or choose a shorter range.',
}

const noTableText: TitleAndAdvice = {
  title: 'No table yet',
  advice:
    'The table of this source does not exist yet. It may be created with the first data. Otherwise, choose another table in the source.',
}

/** Whether the table of a source is not there: in the words of deployments, and of the local stack. */
const lacksTable = ({ message, detail = '' }: ApiFailure) =>
  /\b(Table|Database) \S+ does not exist|\bthe database has no table\b/.test(`${message} ${detail}`)

function titleAndAdvice(failure: ApiFailure): TitleAndAdvice {
  if (failure instanceof UnknownGroupsError) return unknownGroupsText
  if (lacksTable(failure)) return noTableText
  return tooManyGroups(failure) ? tooManyGroupsText : words[failure.code]
}

/** Formats anything that was thrown. */
export function formatError(error: unknown, page?: string): ErrorText {
  const failure = asFailure(error)
  const { title, advice } = titleAndAdvice(failure)
  const reason = reasonOf(failure)
  return {
    title,
    sentence: sentenceOf(repeats(failure.message, title) ? title : failure.message),
    ...(reason ? { reason } : {}),
    advice,
    ...(failure.retryAt === undefined ? {} : { retryAt: failure.retryAt }),
    ...(failure.requestId ? { requestId: failure.requestId } : {}),
    bundle: bundleOf(failure, page),
    ...(isHeld(failure) ? { isInfo: true as const } : {}),
  }
}

/** The error text of a deployment that failed. For a chart query it says what to fix. */
function reasonOf({ code, message, detail = '' }: ApiFailure): string {
  return code === 'upstreamFailed' && !message.includes(detail) ? redact(detail) : ''
}

/** Deployments may only say "Not Found", which repeats the title. */
const repeats = (message: string, title: string) =>
  message === '' || message.replace(/(?<![.!])[.!]+$/, '').toLowerCase() === title.toLowerCase()

const sentenceOf = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Whether a retry may succeed. */
export function mayRetry(error: unknown): boolean {
  const transient: ApiError['code'][] = [
    'rateLimited',
    'upstreamFailed',
    'unreachable',
    'timeout',
    'dependency',
    'unavailable',
    'failed',
  ]
  return transient.includes(asFailure(error).code)
}

function bundleOf(failure: ApiFailure, page: string | undefined): string {
  const lines = {
    code: failure.code,
    status: failure.status || undefined,
    message: failure.message,
    requestId: failure.requestId,
    detail: failure.detail,
    fields: failure.fields?.map((field) => `${field.path}: ${field.message}`).join('; '),
    page,
    at: new Date().toISOString(),
  }
  const text = Object.entries(lines)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  return redact(text)
}

/** Second line of defence: the gateway masks already, but a person will paste this somewhere. */
export function redact(text: string): string {
  return text
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 ***')
    .replace(/([?&#](?:token|key|secret|password|access_key|api_key)=)[^&\s#]+/gi, '$1***')
    .replace(/(https?:\/\/)[^\s/@]+@/gi, '$1***@')
}

/** The one translator from what went wrong to what a person reads: a title, a sentence, and what to do. */
import type { ApiError } from '#contract/kernel.ts'
import { type ApiFailure, asFailure } from './failure.ts'
import { GroupsUnknown } from './groupsUnknown.ts'

export interface ErrorText {
  title: string
  /** What happened, in one sentence. */
  sentence: string
  /** Why, in the deployment's own words, where the sentence does not have them. */
  reason?: string
  /** What to do about it. */
  advice: string
  requestId?: string
  /** When another try makes sense, in epoch milliseconds. */
  retryAt?: number
  /** For pasting into a report; holds no key and no body. */
  bundle: string
}

type TitleAndAdvice = Pick<ErrorText, 'title' | 'advice'>

const words: Record<ApiError['code'], TitleAndAdvice> = {
  signedOut: { title: 'You are signed out', advice: 'Sign in again with a fresh link from the terminal.' },
  keyRejected: {
    title: 'The deployment rejected the key',
    advice: 'Enter a valid key for this connection under Connections.',
  },
  forbidden: {
    title: 'The key is not allowed to do this',
    advice: 'Use a key with the permission for this operation, or ask who manages the keys.',
  },
  readOnly: {
    title: 'This connection is read-only',
    advice: 'Nothing was sent. Allow writes in the menu of the connection, at the top of the page.',
  },
  notFound: { title: 'Not found', advice: 'It may have been deleted. Go back to the list.' },
  notOffered: {
    title: 'Not offered by this deployment',
    advice: 'Its API has no such route; another version or variant may have it.',
  },
  invalid: { title: 'The deployment refused the input', advice: 'Correct what it names and send it again.' },
  conflict: { title: 'It changed in the meantime', advice: 'Read it again and compare before you save.' },
  dependency: {
    title: 'Something that this depends on failed',
    advice: 'Look at what the deployment names, then try again.',
  },
  rateLimited: {
    title: 'Too many requests',
    advice: 'The key’s request budget is spent. Wait until it is filled again.',
  },
  upstreamFailed: { title: 'The deployment failed', advice: 'Try again; if it stays, look at the deployment’s logs.' },
  unreachable: {
    title: 'No answer',
    advice: 'Try again, or correct the address of the connection.',
  },
  timeout: { title: 'No answer in time', advice: 'Nothing was changed. Try again, or ask for less at once.' },
  outcomeUnknown: {
    title: 'It is not known whether this was done',
    advice: 'The request was sent but no answer came back. Look at the current state before you repeat it.',
  },
  malformedReply: {
    title: 'An answer that cannot be read',
    advice: 'The deployment may be of a version that this console does not know. Copy the details for a report.',
  },
  tooLarge: { title: 'Too large', advice: 'Send or ask for less at once.' },
  notStored: {
    title: 'The console cannot store this',
    advice:
      'Nothing was changed. Make room on the disk of the console’s server, or make its folder writable, and try again.',
  },
  blocked: { title: 'Refused by the console’s own rules', advice: 'Nothing was sent to the deployment.' },
  failed: { title: 'Something went wrong in the console', advice: 'Reload the page; copy the details for a report.' },
}

const ofUnknownGroups: TitleAndAdvice = {
  title: 'The groups of this chart are not known',
  advice: 'Take the grouping away, or group by another column.',
}

/** Puts whatever was thrown into words. */
export function formatError(error: unknown, page?: string): ErrorText {
  const failure = asFailure(error)
  const { title, advice } = failure instanceof GroupsUnknown ? ofUnknownGroups : words[failure.code]
  const reason = reasonOf(failure)
  return {
    title,
    sentence: sentenceOf(repeats(failure.message, title) ? title : failure.message),
    ...(reason ? { reason } : {}),
    advice,
    ...(failure.retryAt === undefined ? {} : { retryAt: failure.retryAt }),
    ...(failure.requestId ? { requestId: failure.requestId } : {}),
    bundle: bundleOf(failure, page),
  }
}

/** What a deployment that failed said of it: of a chart that is all that can be fixed. */
function reasonOf({ code, message, detail = '' }: ApiFailure): string {
  return code === 'upstreamFailed' && !message.includes(detail) ? redact(detail) : ''
}

/** Deployments say "Not Found" and no more: whoever shows the title has said it. */
const repeats = (message: string, title: string) =>
  message === '' || message.replace(/[.!]+$/, '').toLowerCase() === title.toLowerCase()

const sentenceOf = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Errors that another try may fix. */
export function mayRetry(error: unknown): boolean {
  const transient: ApiError['code'][] = [
    'rateLimited',
    'upstreamFailed',
    'unreachable',
    'timeout',
    'dependency',
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

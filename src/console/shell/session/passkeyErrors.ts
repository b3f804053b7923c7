/** Texts for a browser's errors about passkeys. */
import { ApiFailure } from '#console/api/failure.ts'

const sentences: Readonly<Record<string, string>> = {
  NotAllowedError: 'You cancelled it, it took too long, or this device has no passkey for this console.',
  AbortError: 'It was cancelled.',
  InvalidStateError: 'This device has a passkey for your account already.',
  NotSupportedError: 'This browser or device cannot do that.',
  SecurityError: 'The browser does not allow passkeys at this address.',
  ConstraintError: 'This device cannot verify who you are, with a PIN or a fingerprint for example.',
}

/** @returns an error with a sentence for people */
export function explainPasskeyError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  // The library wraps the browser's errors, and keeps their name or cause.
  const names = [error.name, error.cause instanceof Error ? error.cause.name : '']
  const known = names.map((name) => sentences[name]).find((sentence) => sentence !== undefined)
  return new ApiFailure({ code: 'blocked', message: known ?? error.message, status: 0 })
}

/** Why this browser has no passkeys; undefined if it has. */
export function missingPasskeys(): string | undefined {
  return 'PublicKeyCredential' in globalThis ? undefined : 'This browser has no passkeys at this address.'
}

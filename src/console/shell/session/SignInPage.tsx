import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { basePath } from '#console/api/document/basePath.ts'
import { asFailure } from '#console/api/failure.ts'
import { formatError } from '#console/api/errors.ts'
import { currentSession, sessionQuery, signInWith } from '#console/api/session.ts'
import { connectProvider, finishProviderSignIn, startProviderSignIn } from '#console/api/gateway/signIn.ts'
import { paths } from '#console/paths/paths.ts'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { consumeInvitation, consumeLinkToken, consumeProviderAnswer, hasLinkToken } from './linkToken.ts'
import { OtherSignInMethods, PasswordSignIn, usePasswordForm } from './SignInMethods.tsx'
import { missingPasskeys } from './passkeyErrors.ts'
import { isOwnPath, leaveFor, type ProviderReturn } from './providerReturn.ts'
import { toast } from '../messages/toasts.tsx'
import { useUrlState } from '../urlState.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import type { Session } from '#contract/console/connections.ts'
import type { PasswordProof } from '#contract/console/signIn.ts'
import * as css from '../shell.module.css'

const InvitationForm = lazyComponent(async () => (await import('./InvitationForm.tsx')).InvitationForm)

/** Only a path of this console: a link must not lead a fresh session elsewhere. */
const search = z.object({ next: z.string().refine(isOwnPath).catch(paths.home()) })

/** The steps to sign in. */
type SignInMethod =
  | { token: string }
  | PasswordProof
  | { provider: string }
  | { passkeyOf: string }
  | { answer: ProviderReturn }

/** Sign-in: automatically by the terminal's one-time link, or with what is configured: providers, passkeys, passwords. */
export function SignInPage() {
  const router = useRouter()
  const [address] = useUrlState(search)
  // Once the page is left, the address is that of the next one.
  const [{ next }] = useState(address)
  const [invitation] = useState(consumeInvitation)
  const [hasProof] = useState(hasLinkToken)
  const onDone = (to = next) => router.history.replace(basePath + to)
  const signIn = useMutation({
    mutationFn: (method: SignInMethod) => signInBy(method, next),
    onSuccess: (to) => to !== null && onDone(to),
  })
  const { mutate, variables, isPending, isIdle } = signIn
  const isReturning =
    hasProof && (isIdle || (isPending && variables !== undefined && ('token' in variables || 'answer' in variables)))
  // Asked again when the tab is shown, because somebody may have signed in in another one.
  const { data: session } = useQuery({ ...sessionQuery, enabled: !isReturning, refetchOnWindowFocus: 'always' })
  const form = usePasswordForm(session)

  useEffect(() => {
    const token = consumeLinkToken()
    const answer = consumeProviderAnswer()
    if (token) mutate({ token })
    else if (answer) mutate({ answer })
  }, [mutate])

  const isSignedIn = session?.signedIn === true && isIdle && invitation === null && !hasProof
  useEffect(() => {
    if (isSignedIn) router.history.replace(basePath + next)
  }, [isSignedIn, router, next])

  useEffect(() => {
    document.title = 'Sign in · Stack Console'
  }, [])

  // Somebody who is signed in connects their account: they do not have to sign in again.
  const connecting = variables && 'answer' in variables && variables.answer.connects ? variables.answer : undefined
  return (
    <main className={css.signInPage}>
      <div className={css.signInContent}>
        <div className={css.signInHeader}>
          <img src={`${basePath}/favicon.svg`} width={28} height={28} alt="" />
          <Text variant="h1">{connecting ? 'Connect your account' : 'Sign in to Stack Console'}</Text>
        </div>
        {signIn.error && (
          <SubmitError
            error={signInProblem(signIn.error)}
            action={connecting && <Button onClick={() => onDone(connecting.next)}>Back to My account</Button>}
          />
        )}
        {invitation !== null && <InvitationForm invitation={invitation} onDone={() => onDone()} />}
        {isReturning && <Text role="status">Signing in…</Text>}
        {invitation === null && !isReturning && !connecting && (
          <SignInChoices
            session={session}
            form={form}
            pending={isPending ? variables : undefined}
            onSignIn={(method) => mutate(method)}
          />
        )}
      </div>
    </main>
  )
}

interface SignInChoicesProps {
  /** Unset until it is read. */
  session: Session | undefined
  form: UseFormReturn<PasswordProof>
  /** The method that is being tried. */
  pending: SignInMethod | undefined
  onSignIn: (method: SignInMethod) => void
}

/** The methods that are configured, and the link, which is always one. */
function SignInChoices({ session, form, pending, onSignIn }: SignInChoicesProps) {
  const hasPasskeys = session?.passkeysRefused !== undefined
  const noPasskeys = hasPasskeys ? (session.passkeysRefused ?? missingPasskeys()) : undefined
  const offersPasskeys = hasPasskeys && noPasskeys === undefined
  const offersMore = session?.providers !== undefined || offersPasskeys
  const offersPassword = session?.accounts || session?.passwordOffered
  return (
    <>
      {session && offersMore && (
        <OtherSignInMethods
          session={session}
          offersPasskeys={offersPasskeys}
          pending={pending ? pendingOf(pending) : null}
          onProvider={(provider) => onSignIn({ provider })}
          onPasskey={() => onSignIn({ passkeyOf: form.getValues('email') ?? '' })}
        />
      )}
      {offersMore && offersPassword && <Text className={css.or}>or</Text>}
      {session && offersPassword && (
        <PasswordSignIn
          session={session}
          form={form}
          pending={pending !== undefined && 'password' in pending}
          onSubmit={({ email, ...proof }) => onSignIn(email ? { ...proof, email } : proof)}
        />
      )}
      <Text color="textSecondary">
        {session?.accounts || session?.providers
          ? 'The administrator of the server can also open the sign-in link'
          : 'Open the sign-in link'}{' '}
        that the console printed in its terminal when it started. Each link works once. The newest one is always the{' '}
        <code>signInUrl</code> in <code>credentials.json</code> in the data directory of the console.
      </Text>
      {noPasskeys !== undefined && <Text color="textSecondary">{noPasskeys}</Text>}
    </>
  )
}

/** @returns the page to open; null if the browser leaves for a provider */
async function signInBy(method: SignInMethod, next: string): Promise<string | null> {
  if ('provider' in method) {
    leaveFor((await startProviderSignIn(method.provider)).url, { connects: false, next })
    return null
  }
  if ('answer' in method) {
    const { provider, answer, connects, next: to } = method.answer
    if (connects) await connectProvider({ provider, answer })
    else await finishProviderSignIn({ provider, answer })
    return to
  }
  if ('passkeyOf' in method) {
    const { signInWithPasskey } = await import('./passkeySignIn.ts')
    await signInWithPasskey(method.passkeyOf)
    return next
  }
  await signInWith(method).catch((error: unknown) => ignoreIfSignedIn(method, error))
  return next
}

/** A link that is opened twice fails the second time, but its first use has signed this browser in. @throws the error otherwise */
async function ignoreIfSignedIn(method: SignInMethod, error: unknown): Promise<void> {
  const session = 'token' in method ? await currentSession().catch(() => undefined) : undefined
  if (!session?.signedIn) throw error
  if (asFailure(error).code === 'signedOut') {
    toast({ tone: 'ok', text: 'You were signed in already. The link had been used or replaced.' })
  }
}

function pendingOf(method: SignInMethod): string {
  if ('provider' in method) return method.provider
  return 'passkeyOf' in method ? 'passkey' : ''
}

/** The sentence says what happened and what to do. */
function signInProblem(error: unknown) {
  const text = formatError(error)
  const { code } = asFailure(error)
  return code === 'signedOut' ||
    code === 'unreachable' ||
    code === 'conflict' ||
    code === 'rateLimited' ||
    code === 'blocked'
    ? { ...text, title: 'Sign-in failed', advice: '' }
    : text
}

/** Asks the browser for a passkey. Loaded when somebody wants one: the sign-in page stays small. */
import { startAuthentication, type PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { finishPasskeySignIn, startPasskeySignIn } from '#console/api/gateway/signIn.ts'
import { explainPasskeyError } from './passkeyErrors.ts'

/** @param email only one of this account; empty for any */
export async function signInWithPasskey(email: string): Promise<void> {
  const options = await startPasskeySignIn<PublicKeyCredentialRequestOptionsJSON>(email === '' ? {} : { email })
  const passkey = await startAuthentication({ optionsJSON: options }).catch((error: unknown) => {
    throw explainPasskeyError(error)
  })
  await finishPasskeySignIn({ passkey: { ...passkey, response: { ...passkey.response } } })
}

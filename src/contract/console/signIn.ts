/** How somebody proves to the console who they are, without a provider or a passkey. */
import { z } from 'zod'

const secret = z.string().min(1).max(500)

/** The password of the person with this e-mail address; without one, the password of the console. */
export const passwordSignIn = z.object({ password: secret, email: z.string().trim().toLowerCase().max(200).optional() })
export type PasswordProof = z.infer<typeof passwordSignIn>

export const signIn = z.union([z.object({ token: secret }), passwordSignIn])

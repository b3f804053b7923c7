/** Passwords of members: the rules of deployments (docs/DEPLOYMENTS.md#requests). */

const minLength = 12
const maxLength = 72

/** The requirements that people read before they choose one. */
export const passwordRule = `${minLength} to ${maxLength} characters, with upper and lower case letters, digits and special characters`

/** Why a password is not accepted; undefined if it is. */
export function passwordProblem(password: string): string | undefined {
  const long = password.length >= minLength && password.length <= maxLength
  const mixed = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9\s]/].every((kind) => kind.test(password))
  return long && mixed ? undefined : `The password must have ${passwordRule}.`
}

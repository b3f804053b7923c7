/** A text uses macros or variables in a way that cannot be replaced. The message is for users. */
export class VariableError extends Error {
  override readonly name = 'VariableError'
}

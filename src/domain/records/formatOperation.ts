/** Operations that are called by a noun, or by more than what they change. */
const words = new Map([
  ['scaling', 'scale'],
  ['replicaScaling', 'scale'],
  ['state', 'change the state of'],
  ['password', 'change the password of'],
  ['updateSettings', 'change the settings of'],
  ['updateCdcScaling', 'scale the database pipes of'],
  ['resendBadRecords', 'resend bad records of'],
  ['resetOffsets', 'reset the offsets of'],
])

/** An operation of the contract in words that the record follows: `replicaScaling` is "scale", `createBucket` "create bucket". */
export function formatOperation(verb: string): string {
  return words.get(verb) ?? verb.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

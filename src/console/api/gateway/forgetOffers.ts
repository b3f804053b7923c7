import { answers } from '../offers/offers.ts'

/** Forgets what the deployment of a connection offers: it is another one now, or is tested again. */
export function forgetOffers(connectionId: string): void {
  answers.setState((all) =>
    Object.fromEntries(Object.entries(all).filter(([at]) => !at.startsWith(`${connectionId}/`))),
  )
}

/** The behavior of the simulated cloud where deployments differ. */

export interface CloudBehavior {
  /** Seconds until a change takes effect. */
  convergenceSeconds: number
  /** Report zeros for a moment after a scaling change, as deployments may. */
  transientZeros: boolean
  /** Return CPU and memory as quantities such as `250m` and `512Mi`, as deployments may. */
  quantityStrings: boolean
}

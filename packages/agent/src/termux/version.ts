/** The version of the agent, as its package says (a test compares them). */
export const version = '0.3.0'

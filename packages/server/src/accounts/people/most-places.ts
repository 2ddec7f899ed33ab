/** The limit of members and open invitations of an account together: no list of its members or owners is longer. Pure. */
export const mostPlaces = 200

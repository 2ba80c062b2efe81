import type { AssumptionId } from './assumption-evidence.ts';

/** Question that the rules for clients leave open, with the answer of this program. */
interface ClientAssumption {
  readonly id: AssumptionId;
  readonly question: string;
  readonly answer: string;
}

/** Assumptions on the sign-in of applications. */
export const clientDecisions: readonly ClientAssumption[] = [
  {
    id: 'A75',
    question: 'a bare scope that no resource has (CL18)',
    answer:
      'the plain form ignores it, as OpenID Connect Core 1.0 recommends, so any stock client works; the tenant form answers `invalid_scope` with number 70011, as the provider does. There, names match in any case, as the examples of its libraries write them (`user.read`), and responses have the spelling of the resource. A scope with the URI of a resource that does not have it is `invalid_scope` in both forms',
  },
  {
    id: 'A76',
    question: 'the id of a client assertion, once (CL41)',
    answer:
      'the plain form accepts each id once. In the tenant form the id belongs to one assertion: the same assertion is accepted until it expires, because MSAL for Node.js sends it again, and another assertion with its id is rejected',
  },
  {
    id: 'A77',
    question: '`scopes_supported` of discovery',
    answer:
      'the OpenID Connect scopes in both forms: some clients request every scope that is listed, and permissions belong to several resources and differ between clients',
  },
  {
    id: 'A78',
    question:
      'rows of refreshes in the sign-in log: DIR71 has none for what is not evaluated, and the field `isInteractive` names them',
    answer:
      'a refresh of tokens has a row that is not interactive, as at the provider, and is no sign-in of the sandbox, because no rule evaluates it. Only a filter that names noninteractive rows shows it, so the rows without such a filter are those of DIR71',
  },
];

import type { TokenUsage } from '@svc/contracts/orchestrator';

/** The usage of a project in a period. A data model only: no method of the SDK fetches it. */
export interface BillingUsage {
  readonly period: { readonly starts_at: string; readonly ends_at: string };
  readonly run_count: number;
  readonly token_usage: TokenUsage;
}

/** The limits of a project. A data model only: no method of the SDK fetches it. */
export interface BillingPlan {
  readonly name: string;
  readonly status: 'active' | 'past_due' | 'cancelled';
  /** Limits by name, such as `runs_per_month`. */
  readonly limits: Readonly<Record<string, number>>;
}

/** Metadata about a service that tools talk to. */
export interface ProviderMetadata {
  readonly provider: string;
  readonly auth_modes: readonly ('none' | 'api_key' | 'basic' | 'oauth2')[];
  readonly scopes: readonly string[];
  readonly capabilities: readonly string[];
}

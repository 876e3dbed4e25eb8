// The API as types, made from docs/openapi.json by `npm run docs`. Not to be edited.

export interface paths {
    "/v1/farmacias/business-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List business events
         * @description Openings, closures, reopenings, relocations and ownership changes in a window of time, newest first. Follow next_cursor until it is null; the walk stays stable while loads go on.
         */
        get: operations["listBusinessEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/business-events/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count business events
         * @description Exact counts by event type, territory, province or city, with the filters of the listing; with interval also by calendar bucket.
         */
        get: operations["summarizeBusinessEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/relocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List relocations
         * @description Only relocations, with the old and the new place apart; filters by either place, by name or within a radius. A relocation without coordinates never matches a radius.
         */
        get: operations["listRelocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/incremental/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts and latest pharmacies per kind
         * @description What opened, closed and moved lately: exact counts and the newest pharmacies of each kind in one answer, within the scope of the key.
         */
        get: operations["latestIncremental"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow technical changes
         * @description The queue of upserts and deletes since an instant, in the order in which they must be applied. Nothing is ever removed from it. With wait a poll is answered the moment something is there.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/export/{territory_code}/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a territory as CSV
         * @description The normalised dataset of one territory, one committed state from the first byte to the last, ordered by external_id. The header X-Changes-Cursor is where to go on in the changes.
         */
        get: operations["exportCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/export/{territory_code}/json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a territory as JSON
         * @description The normalised dataset of one territory, one committed state from the first byte to the last, ordered by external_id.
         */
        get: operations["exportJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/export/{territory_code}/geojson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a territory as GeoJSON
         * @description The normalised dataset of one territory as an RFC 7946 FeatureCollection for maps, one committed state from the first byte to the last, ordered by external_id. Records without coordinates have a null geometry.
         */
        get: operations["exportGeoJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/export/{territory_code}/ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a territory as NDJSON
         * @description The normalised dataset of one territory, one JSON record a line and nothing around them, for reading line by line whatever its size. One committed state from the first byte to the last, ordered by external_id. The header X-Changes-Cursor is where to go on in the changes.
         */
        get: operations["exportNdjson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/territories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List territories
         * @description What the key may see, how fresh it is and how large.
         */
        get: operations["listTerritories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/territories/{territory_code}/digest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare a copy of a territory
         * @description Number and digest of the records of one territory, so that whoever keeps a copy can prove it right without downloading it again: apply the changes up to changes_cursor and no further, then compare.
         */
        get: operations["showTerritoryDigest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/loads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List load runs
         * @description The load journal within the scope of the key, newest first: every attempt, also those that found nothing new.
         */
        get: operations["listLoads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/pharmacies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search pharmacies
         * @description Current records, or those of an earlier instant, by words, place, state and distance. Follow next_cursor until it is null; the walk stays stable while loads go on.
         */
        get: operations["searchPharmacies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/farmacias/pharmacies/{territory_code}/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one pharmacy with its history
         * @description The current record of one pharmacy, its events and all versions of its record, closed ones and earlier lives of the identifier included.
         */
        get: operations["showPharmacy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the calling key
         * @description Scope, expiry and rate limit of the key that asks.
         */
        get: operations["showKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process runs
         * @description Answers as long as the process does; needs no key and no data store.
         */
        get: operations["healthLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether requests can be answered
         * @description Answers 200 while the registry can be read, else 503; needs no key.
         */
        get: operations["healthReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description The OpenAPI 3.1 description of the service, made from the schemas that check its requests.
         */
        get: operations["openApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A refused request (RFC 9457). */
        Problem: {
            /**
             * Format: uri-reference
             * @description Where this kind of problem is explained: an anchor of the documentation page.
             * @example /docs#problem-invalid_parameter
             */
            type: string;
            /** @description The kind of problem in a few words; the same for one code. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What is wrong with this request, for a person to read. */
            detail: string;
            /**
             * @description Stable name of the kind of problem, for programs.
             * @enum {unknown}
             */
            code: "invalid_parameter" | "before_baseline" | "unauthorized" | "forbidden_territory" | "not_found" | "method_not_allowed" | "rate_limited" | "territory_not_loaded" | "store_unavailable" | "uri_too_long" | "bad_request" | "request_timeout" | "headers_too_large" | "overloaded" | "internal";
            /** @description Identifier of the request, also in X-Request-Id and in the log of the service. */
            request_id: string;
            /** @description Every faulty parameter of the request; present for status 400. */
            errors?: {
                /** @description Name of the parameter at fault. */
                parameter: string;
                /** @description What is wrong with it. */
                reason: string;
                /** @description The values that are accepted, when they are few. */
                allowed?: (string | number)[];
                /** @description The name or value that was probably meant. */
                suggestion?: string;
            }[];
        };
    };
    responses: {
        /** @description A parameter is unknown, repeated, malformed or out of bounds; errors lists all of them. */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No key, or one that is not valid. */
        Problem401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key does not permit the territory. */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such resource, or nothing was recorded yet at that instant. */
        Problem404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Only GET, HEAD and OPTIONS are possible. */
        Problem405: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request did not arrive in time. */
        Problem408: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The URL is too long. */
        Problem414: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests; Retry-After says when to come back. */
        Problem429: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The headers of the request are too large. */
        Problem431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A fault of the service. */
        Problem500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The territory is not loaded yet, or the data store is away; Retry-After says when to come back. */
        Problem503: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifier of the request. */
        "X-Request-Id": string;
        /** @description Tag of this content, for If-None-Match. */
        ETag: string;
        /** @description Requests per minute; absent when rates are not limited. */
        "RateLimit-Limit": number;
        /** @description Requests left now. */
        "RateLimit-Remaining": number;
        /** @description Seconds until all of them are there again. */
        "RateLimit-Reset": number;
        /** @description Seconds after which to try again. */
        "Retry-After": number;
        /** @description The name under which to save the export. */
        "Content-Disposition": string;
        /** @description The last change the export includes: pass it as cursor to the changes and nothing is missed. */
        "X-Changes-Cursor": number;
        /** @description From when on the address should not be used any more (RFC 9745). */
        Deprecation: string;
        /** @description When the address stops answering (RFC 8594). */
        Sunset: string;
        /** @description Where to read about the deprecation and the successor. */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listBusinessEvents: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. ISO 8601 UTC with date, time and zone. */
                from?: string;
                /** @description Length of the window in days, used when from is absent; 30 when both are absent. */
                days?: number;
                /** @description End of the window, exclusive; now when absent. ISO 8601 UTC with date, time and zone. */
                to?: string;
                /** @description Only these territories: comma-separated ES-XX codes, at most 100. */
                territories?: string[];
                /** @description Only these kinds of event: a comma-separated list. */
                event_types?: ("opened" | "closed_hard" | "closed_soft" | "reopened" | "relocated" | "ownership_change")[];
                /** @description Province on the old or the new side, in any of its official names; with city, both on one side. */
                province?: string;
                /** @description City on the old or the new side; case, accents and punctuation do not count. */
                city?: string;
                /** @description Number of items on a page. */
                limit?: number;
                /** @description next_cursor of the page before, sent with the same parameters; limit may change. */
                cursor?: string;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-01-03T00:00:00.000Z",
                     *       "to": "2026-02-02T00:00:00.000Z",
                     *       "items": [
                     *         {
                     *           "event_id": "4",
                     *           "run_id": "es-md-3",
                     *           "event_type": "closed_hard",
                     *           "occurred_at": "2026-02-01T06:00:00.000Z",
                     *           "territory_code": "ES-MD",
                     *           "external_id": "0073",
                     *           "name": "Farmacia Alba",
                     *           "old": {
                     *             "name": "Farmacia Alba",
                     *             "owner_name": "Titular 0073",
                     *             "is_active": true,
                     *             "address_line": "Calle Inventada 0073",
                     *             "postal_code": "28901",
                     *             "city": "Getafe",
                     *             "province": "Madrid",
                     *             "latitude": 40.4,
                     *             "longitude": -3.7
                     *           },
                     *           "new": {}
                     *         },
                     *         {
                     *           "event_id": "3",
                     *           "run_id": "es-md-3",
                     *           "event_type": "opened",
                     *           "occurred_at": "2026-02-01T06:00:00.000Z",
                     *           "territory_code": "ES-MD",
                     *           "external_id": "0074",
                     *           "name": "Farmacia Nueva",
                     *           "old": {},
                     *           "new": {
                     *             "name": "Farmacia Nueva",
                     *             "owner_name": "Titular 0073",
                     *             "is_active": true,
                     *             "address_line": "Calle Inventada 0073",
                     *             "postal_code": "28901",
                     *             "city": "Getafe",
                     *             "province": "Madrid",
                     *             "latitude": 40.4,
                     *             "longitude": -3.7
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "37EHX-N9KuMDWzEsImxpc3RCdXNpbmVzc0V2ZW50cyIsIjdwS2hhZFZVVksxQlhQMzAiLDE3NjczOTg0MDAwMDAsMTc2OTk5MDQwMDAwMCwzLDE3Njk5MjU2MDAwMDAsM10"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Start of the window that was used, inclusive, ISO 8601 UTC.
                         */
                        from: string;
                        /**
                         * Format: date-time
                         * @description End of the window that was used, exclusive, ISO 8601 UTC.
                         */
                        to: string;
                        /** @description Newest first: by occurred_at, then by event_id, both descending. */
                        items: {
                            /**
                             * @description Identifier of the event: a growing number, as text; unique and never reused.
                             * @example 1204
                             */
                            event_id: string;
                            /**
                             * @description Kind of business event. opened: an identifier that was not there before; closed_hard: the record vanished from the official dataset; closed_soft: it is kept, marked inactive; reopened: active again; relocated: address_line, postal_code, city or province changed; ownership_change: the holder changed.
                             * @enum {unknown}
                             */
                            event_type: "opened" | "closed_hard" | "closed_soft" | "reopened" | "relocated" | "ownership_change";
                            /**
                             * Format: date-time
                             * @description When the difference was observed: the instant (ISO 8601 UTC) of the snapshot that showed it. A pharmacy that vanishes and returns has one event for each.
                             */
                            occurred_at: string;
                            /**
                             * @description Territory code of the form ES-XX, case-sensitive.
                             * @example ES-MD
                             */
                            territory_code: string;
                            /** @description Identifier of the pharmacy within its territory; text, leading zeros kept. */
                            external_id: string;
                            /** @description Pharmacy name at the time of the event; null when the source has none. */
                            name: string | null;
                            /** @description Identifier of the load run that found the event. */
                            run_id: string;
                            /** @description Before the event. Empty for opened; otherwise the fields that matter to the kind of event. */
                            old: {
                                /** @description Pharmacy name as published; null when the source has none. */
                                name?: string | null;
                                /** @description Holder (titular) as published; null when unknown. */
                                owner_name?: string | null;
                                /** @description Whether the source marks the pharmacy active. */
                                is_active?: boolean;
                                /** @description Street address line as published; null when the source has none. */
                                address_line?: string | null;
                                /** @description Postal code, five characters, leading zero kept; null when unknown. */
                                postal_code?: string | null;
                                /** @description City or municipality as published; null when unknown. */
                                city?: string | null;
                                /** @description Province as published or derived; null when unknown. */
                                province?: string | null;
                                /** @description WGS84 latitude in degrees; null when unknown. */
                                latitude?: number | null;
                                /** @description WGS84 longitude in degrees; null when unknown. */
                                longitude?: number | null;
                            };
                            /** @description After the event. Empty for closed_hard; otherwise the fields that matter to the kind of event. */
                            new: {
                                /** @description Pharmacy name as published; null when the source has none. */
                                name?: string | null;
                                /** @description Holder (titular) as published; null when unknown. */
                                owner_name?: string | null;
                                /** @description Whether the source marks the pharmacy active. */
                                is_active?: boolean;
                                /** @description Street address line as published; null when the source has none. */
                                address_line?: string | null;
                                /** @description Postal code, five characters, leading zero kept; null when unknown. */
                                postal_code?: string | null;
                                /** @description City or municipality as published; null when unknown. */
                                city?: string | null;
                                /** @description Province as published or derived; null when unknown. */
                                province?: string | null;
                                /** @description WGS84 latitude in degrees; null when unknown. */
                                latitude?: number | null;
                                /** @description WGS84 longitude in degrees; null when unknown. */
                                longitude?: number | null;
                            };
                        }[];
                        /** @description Send it as cursor, with the same parameters, for the next page; null exactly when nothing follows. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    summarizeBusinessEvents: {
        parameters: {
            query?: {
                /** @description What to count by. Province and city count the new side of an event, the old one of closed_hard. */
                group_by?: "event_type" | "territory" | "province" | "city";
                /** @description Start of the window, inclusive. ISO 8601 UTC with date, time and zone. */
                from?: string;
                /** @description Length of the window in days, used when from is absent; 30 when both are absent. */
                days?: number;
                /** @description End of the window, exclusive; now when absent. ISO 8601 UTC with date, time and zone. */
                to?: string;
                /** @description Only these territories: comma-separated ES-XX codes, at most 100. */
                territories?: string[];
                /** @description Only these kinds of event: a comma-separated list. */
                event_types?: ("opened" | "closed_hard" | "closed_soft" | "reopened" | "relocated" | "ownership_change")[];
                /** @description Province on the old or the new side; with city, both on one side. */
                province?: string;
                /** @description City on the old or the new side. */
                city?: string;
                /** @description Also count by calendar bucket, at most 1000 of them; weeks begin on Monday. */
                interval?: "day" | "week" | "month";
                /** @description IANA time zone of the calendar buckets; UTC when absent. Needs interval. */
                time_zone?: string;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-01-03T00:00:00.000Z",
                     *       "to": "2026-02-02T00:00:00.000Z",
                     *       "group_by": "event_type",
                     *       "total": 4,
                     *       "items": [
                     *         {
                     *           "key": "opened",
                     *           "count": 1
                     *         },
                     *         {
                     *           "key": "closed_hard",
                     *           "count": 1
                     *         },
                     *         {
                     *           "key": "closed_soft",
                     *           "count": 0
                     *         },
                     *         {
                     *           "key": "reopened",
                     *           "count": 0
                     *         },
                     *         {
                     *           "key": "relocated",
                     *           "count": 1
                     *         },
                     *         {
                     *           "key": "ownership_change",
                     *           "count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Start of the window that was used, inclusive, ISO 8601 UTC.
                         */
                        from: string;
                        /**
                         * Format: date-time
                         * @description End of the window that was used, exclusive, ISO 8601 UTC.
                         */
                        to: string;
                        /**
                         * @description What is counted by.
                         * @enum {unknown}
                         */
                        group_by: "event_type" | "territory" | "province" | "city";
                        /** @description Number of events: the sum of all counts, and the length of the listing with the same filters. */
                        total: number;
                        /** @description Event types: all of them in a fixed order. Territories: every loaded one, or those asked for, also with 0. Otherwise the groups found. All but event types by count descending, then key. */
                        items: {
                            /** @description The group: an event type, a territory code, the official name of a province or the newest spelling of a city; null for events whose place is unknown. */
                            key: string | null;
                            /** @description Number of events, exact. */
                            count: number;
                        }[];
                        /**
                         * @description Length of the calendar buckets; only when asked for.
                         * @enum {unknown}
                         */
                        interval?: "day" | "week" | "month";
                        /** @description IANA time zone of the calendar buckets; only with interval. */
                        time_zone?: string;
                        /** @description Every calendar bucket of the window, empty ones too; only with interval. */
                        buckets?: {
                            /**
                             * Format: date-time
                             * @description Start of the calendar bucket, ISO 8601 UTC; the first may lie before from.
                             */
                            start: string;
                            /** @description Number of events of the window in the bucket. */
                            total: number;
                            /** @description Counts in the bucket, filled and ordered like the items of the whole window. */
                            items: {
                                /** @description The group: an event type, a territory code, the official name of a province or the newest spelling of a city; null for events whose place is unknown. */
                                key: string | null;
                                /** @description Number of events, exact. */
                                count: number;
                            }[];
                        }[];
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listRelocations: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. ISO 8601 UTC with date, time and zone. */
                from?: string;
                /** @description Length of the window in days, used when from is absent; 30 when both are absent. */
                days?: number;
                /** @description End of the window, exclusive; now when absent. ISO 8601 UTC with date, time and zone. */
                to?: string;
                /** @description Only these territories: comma-separated ES-XX codes, at most 100. */
                territories?: string[];
                /** @description Province before the move, in any of its official names. */
                old_province?: string;
                /** @description City before the move; case and accents do not count. */
                old_city?: string;
                /** @description Province after the move, in any of its official names. */
                new_province?: string;
                /** @description City after the move; case and accents do not count. */
                new_city?: string;
                /** @description Latitude in degrees of a point near the place before the move. */
                near_old_latitude?: number;
                /** @description Longitude in degrees of a point near the place before the move. */
                near_old_longitude?: number;
                /** @description Latitude in degrees of a point near the place after the move. */
                near_new_latitude?: number;
                /** @description Longitude in degrees of a point near the place after the move. */
                near_new_longitude?: number;
                /** @description Radius in metres around the points given; serves both. With both points, both must match. */
                radius_meters?: number;
                /** @description Number of items on a page. */
                limit?: number;
                /** @description next_cursor of the page before, sent with the same parameters; limit may change. */
                cursor?: string;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-01-03T00:00:00.000Z",
                     *       "to": "2026-02-02T00:00:00.000Z",
                     *       "items": [
                     *         {
                     *           "event_id": "1",
                     *           "occurred_at": "2026-02-01T06:00:00.000Z",
                     *           "territory_code": "ES-MD",
                     *           "external_id": "0071",
                     *           "name": "Farmacia del Sol",
                     *           "old": {
                     *             "address_line": "Calle Mayor, 5",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "province": "Madrid",
                     *             "latitude": 40.416775,
                     *             "longitude": -3.703791
                     *           },
                     *           "new": {
                     *             "address_line": "Plaza del Sol, 12",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "province": "Madrid",
                     *             "latitude": 40.417123,
                     *             "longitude": -3.703456
                     *           },
                     *           "distance_meters": 47.98
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Start of the window that was used, inclusive, ISO 8601 UTC.
                         */
                        from: string;
                        /**
                         * Format: date-time
                         * @description End of the window that was used, exclusive, ISO 8601 UTC.
                         */
                        to: string;
                        /** @description Newest first: by occurred_at, then by event_id, both descending. */
                        items: {
                            /**
                             * @description Identifier of the event: a growing number, as text; unique and never reused.
                             * @example 1204
                             */
                            event_id: string;
                            /**
                             * Format: date-time
                             * @description When the difference was observed: the instant (ISO 8601 UTC) of the snapshot that showed it. A pharmacy that vanishes and returns has one event for each.
                             */
                            occurred_at: string;
                            /**
                             * @description Territory code of the form ES-XX, case-sensitive.
                             * @example ES-MD
                             */
                            territory_code: string;
                            /** @description Identifier of the pharmacy within its territory; text, leading zeros kept. */
                            external_id: string;
                            /** @description Pharmacy name at the time of the move; null when the source has none. */
                            name: string | null;
                            /** @description Where the pharmacy was. */
                            old: {
                                /** @description Street address line as published; null when the source has none. */
                                address_line: string | null;
                                /** @description Postal code, five characters, leading zero kept; null when unknown. */
                                postal_code: string | null;
                                /** @description City or municipality as published; null when unknown. */
                                city: string | null;
                                /** @description Province as published or derived; null when unknown. */
                                province: string | null;
                                /** @description WGS84 latitude in degrees; null when unknown. */
                                latitude: number | null;
                                /** @description WGS84 longitude in degrees; null when unknown. */
                                longitude: number | null;
                            };
                            /** @description Where the pharmacy is since. */
                            new: {
                                /** @description Street address line as published; null when the source has none. */
                                address_line: string | null;
                                /** @description Postal code, five characters, leading zero kept; null when unknown. */
                                postal_code: string | null;
                                /** @description City or municipality as published; null when unknown. */
                                city: string | null;
                                /** @description Province as published or derived; null when unknown. */
                                province: string | null;
                                /** @description WGS84 latitude in degrees; null when unknown. */
                                latitude: number | null;
                                /** @description WGS84 longitude in degrees; null when unknown. */
                                longitude: number | null;
                            };
                            /** @description Great circle between the two places in metres; null when either has no coordinates. */
                            distance_meters: number | null;
                        }[];
                        /** @description Send it as cursor, with the same parameters, for the next page; null exactly when nothing follows. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    latestIncremental: {
        parameters: {
            query?: {
                /** @description Length of the window, which ends now; all begins at the baseline of what the filter covers. */
                window?: "7d" | "15d" | "30d" | "60d" | "180d" | "all";
                /** @description Only this territory. One outside the scope of the key gives an empty result. */
                territory_code?: string;
                /** @description Number of pharmacies in each of the three arrays at most; closed counts both kinds together. */
                limit_per_type?: number;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "window": "30d",
                     *       "from": "2026-01-03T10:00:00.000Z",
                     *       "to": "2026-02-02T10:00:00.000Z",
                     *       "territory_code": null,
                     *       "baseline_incremental_start_at": "2026-01-02T06:00:00.000Z",
                     *       "counts": {
                     *         "opened": 1,
                     *         "closed_total": 1,
                     *         "closed_hard": 1,
                     *         "closed_soft": 0,
                     *         "relocated": 1
                     *       },
                     *       "items": {
                     *         "opened": [
                     *           {
                     *             "external_id": "0074",
                     *             "name": "Farmacia Nueva",
                     *             "territory_code": "ES-MD",
                     *             "address_line": "Calle Inventada 0073",
                     *             "postal_code": "28901",
                     *             "city": "Getafe",
                     *             "province": "Madrid",
                     *             "latitude": 40.4,
                     *             "longitude": -3.7,
                     *             "occurred_at": "2026-02-01T06:00:00.000Z"
                     *           }
                     *         ],
                     *         "closed": [
                     *           {
                     *             "external_id": "0073",
                     *             "name": "Farmacia Alba",
                     *             "territory_code": "ES-MD",
                     *             "address_line": "Calle Inventada 0073",
                     *             "postal_code": "28901",
                     *             "city": "Getafe",
                     *             "province": "Madrid",
                     *             "latitude": 40.4,
                     *             "longitude": -3.7,
                     *             "occurred_at": "2026-02-01T06:00:00.000Z",
                     *             "closure_kind": "closed_hard"
                     *           }
                     *         ],
                     *         "relocated": [
                     *           {
                     *             "external_id": "0071",
                     *             "name": "Farmacia del Sol",
                     *             "territory_code": "ES-MD",
                     *             "address_line": "Plaza del Sol, 12",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "province": "Madrid",
                     *             "latitude": 40.417123,
                     *             "longitude": -3.703456,
                     *             "occurred_at": "2026-02-01T06:00:00.000Z",
                     *             "old": {
                     *               "address_line": "Calle Mayor, 5",
                     *               "postal_code": "28013",
                     *               "city": "Madrid",
                     *               "province": "Madrid",
                     *               "latitude": 40.416775,
                     *               "longitude": -3.703791
                     *             },
                     *             "new": {
                     *               "address_line": "Plaza del Sol, 12",
                     *               "postal_code": "28013",
                     *               "city": "Madrid",
                     *               "province": "Madrid",
                     *               "latitude": 40.417123,
                     *               "longitude": -3.703456
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The window requested, or 7d.
                         * @enum {unknown}
                         */
                        window: "7d" | "15d" | "30d" | "60d" | "180d" | "all";
                        /**
                         * Format: date-time
                         * @description Start of the window, inclusive, ISO 8601 UTC.
                         */
                        from: string;
                        /**
                         * Format: date-time
                         * @description End of the window, exclusive, ISO 8601 UTC.
                         */
                        to: string;
                        /** @description The territory filter that was applied; null without one. */
                        territory_code: string | null;
                        /** @description Instant from which incremental data exists: the earliest baseline among the territories that apply; null if none is loaded. */
                        baseline_incremental_start_at: string | null;
                        /** @description Exact number of events in the window by kind. */
                        counts: {
                            /** @description Pharmacies opened in the window, exact whatever limit_per_type is. */
                            opened: number;
                            /** @description Closures in the window: closed_hard + closed_soft. */
                            closed_total: number;
                            /** @description Closures by vanishing from the official dataset. */
                            closed_hard: number;
                            /** @description Closures by being marked inactive. */
                            closed_soft: number;
                            /** @description Relocations in the window. */
                            relocated: number;
                        };
                        /** @description The newest events by kind, each with its values as of the event. */
                        items: {
                            /** @description The newest openings, newest first. */
                            opened: {
                                /** @description Identifier of the pharmacy within its territory; text, leading zeros kept. */
                                external_id: string;
                                /** @description Pharmacy name at the time of the event; null when the source has none. */
                                name: string | null;
                                /**
                                 * @description Territory code of the form ES-XX, case-sensitive.
                                 * @example ES-MD
                                 */
                                territory_code: string;
                                /** @description Street address line as published; null when the source has none. */
                                address_line: string | null;
                                /** @description Postal code, five characters, leading zero kept; null when unknown. */
                                postal_code: string | null;
                                /** @description City or municipality as published; null when unknown. */
                                city: string | null;
                                /** @description Province as published or derived; null when unknown. */
                                province: string | null;
                                /** @description WGS84 latitude in degrees; null when unknown. */
                                latitude: number | null;
                                /** @description WGS84 longitude in degrees; null when unknown. */
                                longitude: number | null;
                                /**
                                 * Format: date-time
                                 * @description When the difference was observed: the instant (ISO 8601 UTC) of the snapshot that showed it. A pharmacy that vanishes and returns has one event for each.
                                 */
                                occurred_at: string;
                            }[];
                            /** @description The newest closures, newest first. */
                            closed: {
                                /** @description Identifier of the pharmacy within its territory; text, leading zeros kept. */
                                external_id: string;
                                /** @description Pharmacy name at the time of the event; null when the source has none. */
                                name: string | null;
                                /**
                                 * @description Territory code of the form ES-XX, case-sensitive.
                                 * @example ES-MD
                                 */
                                territory_code: string;
                                /** @description Street address line as published; null when the source has none. */
                                address_line: string | null;
                                /** @description Postal code, five characters, leading zero kept; null when unknown. */
                                postal_code: string | null;
                                /** @description City or municipality as published; null when unknown. */
                                city: string | null;
                                /** @description Province as published or derived; null when unknown. */
                                province: string | null;
                                /** @description WGS84 latitude in degrees; null when unknown. */
                                latitude: number | null;
                                /** @description WGS84 longitude in degrees; null when unknown. */
                                longitude: number | null;
                                /**
                                 * Format: date-time
                                 * @description When the difference was observed: the instant (ISO 8601 UTC) of the snapshot that showed it. A pharmacy that vanishes and returns has one event for each.
                                 */
                                occurred_at: string;
                                /**
                                 * @description closed_hard: it vanished from the official dataset; closed_soft: it is kept, marked inactive.
                                 * @enum {unknown}
                                 */
                                closure_kind: "closed_hard" | "closed_soft";
                            }[];
                            /** @description The newest relocations, newest first. */
                            relocated: {
                                /** @description Identifier of the pharmacy within its territory; text, leading zeros kept. */
                                external_id: string;
                                /** @description Pharmacy name at the time of the event; null when the source has none. */
                                name: string | null;
                                /**
                                 * @description Territory code of the form ES-XX, case-sensitive.
                                 * @example ES-MD
                                 */
                                territory_code: string;
                                /** @description Street address line as published; null when the source has none. */
                                address_line: string | null;
                                /** @description Postal code, five characters, leading zero kept; null when unknown. */
                                postal_code: string | null;
                                /** @description City or municipality as published; null when unknown. */
                                city: string | null;
                                /** @description Province as published or derived; null when unknown. */
                                province: string | null;
                                /** @description WGS84 latitude in degrees; null when unknown. */
                                latitude: number | null;
                                /** @description WGS84 longitude in degrees; null when unknown. */
                                longitude: number | null;
                                /**
                                 * Format: date-time
                                 * @description When the difference was observed: the instant (ISO 8601 UTC) of the snapshot that showed it. A pharmacy that vanishes and returns has one event for each.
                                 */
                                occurred_at: string;
                                /** @description Where the pharmacy was. */
                                old: {
                                    /** @description Street address line as published; null when the source has none. */
                                    address_line: string | null;
                                    /** @description Postal code, five characters, leading zero kept; null when unknown. */
                                    postal_code: string | null;
                                    /** @description City or municipality as published; null when unknown. */
                                    city: string | null;
                                    /** @description Province as published or derived; null when unknown. */
                                    province: string | null;
                                    /** @description WGS84 latitude in degrees; null when unknown. */
                                    latitude: number | null;
                                    /** @description WGS84 longitude in degrees; null when unknown. */
                                    longitude: number | null;
                                };
                                /** @description Where the pharmacy is since. */
                                new: {
                                    /** @description Street address line as published; null when the source has none. */
                                    address_line: string | null;
                                    /** @description Postal code, five characters, leading zero kept; null when unknown. */
                                    postal_code: string | null;
                                    /** @description City or municipality as published; null when unknown. */
                                    city: string | null;
                                    /** @description Province as published or derived; null when unknown. */
                                    province: string | null;
                                    /** @description WGS84 latitude in degrees; null when unknown. */
                                    latitude: number | null;
                                    /** @description WGS84 longitude in degrees; null when unknown. */
                                    longitude: number | null;
                                };
                            }[];
                        };
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listChanges: {
        parameters: {
            query: {
                /** @description Only changes committed at or after this instant (changed_at, inclusive). ISO 8601 UTC with date, time and zone. */
                since: string;
                /** @description Only these territories: comma-separated ES-XX codes, at most 100. */
                territories?: string[];
                /** @description Number of items on a page. */
                limit?: number;
                /** @description Only changes with a larger id: next_cursor of the page before, or resume_cursor of the last poll; 0 is the beginning. */
                cursor?: number;
                /** @description When nothing is there, wait up to so many seconds and answer as soon as a commit brings something; not at all when absent. */
                wait?: number;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": 6,
                     *           "run_id": "es-md-3",
                     *           "territory_code": "ES-MD",
                     *           "operation": "upsert",
                     *           "external_id": "0071",
                     *           "payload": {
                     *             "external_id": "0071",
                     *             "name": "Farmacia del Sol",
                     *             "address_line": "Plaza del Sol, 12",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "province": "Madrid",
                     *             "territory_code": "ES-MD",
                     *             "latitude": 40.417123,
                     *             "longitude": -3.703456,
                     *             "coordinate_source": "official",
                     *             "owner_name": "Ana Inventada López",
                     *             "cnn_code": null,
                     *             "source_slug": "registro-es-md",
                     *             "official_source_name": "Registro inventado ES-MD",
                     *             "official_source_url": "https://registro.example/farmacias",
                     *             "official_last_modified_at": null,
                     *             "observed_at": "2026-02-01T06:00:00.000Z",
                     *             "is_active": true
                     *           },
                     *           "changed_at": "2026-02-01T06:00:02.918Z"
                     *         },
                     *         {
                     *           "id": 7,
                     *           "run_id": "es-md-3",
                     *           "territory_code": "ES-MD",
                     *           "operation": "upsert",
                     *           "external_id": "0072",
                     *           "payload": {
                     *             "external_id": "0072",
                     *             "name": "Farmacia del Río",
                     *             "address_line": "Avenida del Puerto, s/n",
                     *             "postal_code": "28801",
                     *             "city": "Alcalá de Henares",
                     *             "province": "Madrid",
                     *             "territory_code": "ES-MD",
                     *             "latitude": 40.481979,
                     *             "longitude": -3.364185,
                     *             "coordinate_source": "official",
                     *             "owner_name": "Marta Supuesta Ríos",
                     *             "cnn_code": null,
                     *             "source_slug": "registro-es-md",
                     *             "official_source_name": "Registro inventado ES-MD",
                     *             "official_source_url": "https://registro.example/farmacias",
                     *             "official_last_modified_at": null,
                     *             "observed_at": "2026-02-01T06:00:00.000Z",
                     *             "is_active": true
                     *           },
                     *           "changed_at": "2026-02-01T06:00:02.918Z"
                     *         }
                     *       ],
                     *       "next_cursor": 7,
                     *       "resume_cursor": 7
                     *     }
                     */
                    "application/json": {
                        /** @description By ascending id. */
                        items: {
                            /** @description Number of the change, growing over all territories; the cursor of this feed. */
                            id: number;
                            /** @description Identifier of the load run that produced the change. */
                            run_id: string;
                            /**
                             * @description Territory code of the form ES-XX, case-sensitive.
                             * @example ES-MD
                             */
                            territory_code: string;
                            /**
                             * @description upsert: the record is now as in payload; delete: it left the official dataset.
                             * @enum {unknown}
                             */
                            operation: "upsert" | "delete";
                            /** @description Identifier of the pharmacy within its territory; text, leading zeros kept. */
                            external_id: string;
                            /** @description The pharmacy record; of a delete, the last one known. */
                            payload: {
                                /**
                                 * @description Identifier of the pharmacy within its territory; text, leading zeros kept.
                                 * @example 2351
                                 */
                                external_id: string;
                                /** @description Pharmacy name as published. */
                                name: string | null;
                                /** @description Street address line as published. */
                                address_line: string | null;
                                /** @description Postal code, five characters, leading zero kept. */
                                postal_code: string | null;
                                /** @description City or municipality as published. */
                                city: string | null;
                                /** @description Province as published or derived. */
                                province: string | null;
                                /**
                                 * @description Territory code of the form ES-XX, case-sensitive.
                                 * @example ES-MD
                                 */
                                territory_code: string;
                                /** @description WGS84 latitude in degrees, six decimals; null when unknown. */
                                latitude: number | null;
                                /** @description WGS84 longitude in degrees, six decimals; null when unknown. */
                                longitude: number | null;
                                /** @description Origin of the coordinates; null exactly when there are none. */
                                coordinate_source: string | null;
                                /** @description Holder (titular) of the pharmacy; several holders joined. */
                                owner_name: string | null;
                                /** @description National code of the pharmacy. */
                                cnn_code: string | null;
                                /** @description Slug of the data source. */
                                source_slug: string;
                                /** @description Name of the official source. */
                                official_source_name: string;
                                /** @description URL of the official source. */
                                official_source_url: string;
                                /** @description Last modification time reported by the official source, ISO 8601 UTC; null unless the source gives one. */
                                official_last_modified_at: string | null;
                                /** @description Instant (ISO 8601 UTC) at which this content of the record was first observed; it does not move while the content does not. */
                                observed_at: string;
                                /** @description Whether the source marks the pharmacy active. */
                                is_active: boolean;
                            };
                            /**
                             * Format: date-time
                             * @description Instant (ISO 8601 UTC) at which the load that made the change was committed.
                             */
                            changed_at: string;
                        }[];
                        /** @description The cursor of the next page; null exactly when nothing follows. */
                        next_cursor: number | null;
                        /** @description Pass it as cursor at the next poll and nothing is missed: the last id of a page that has a next one, else the last id committed over all territories. */
                        resume_cursor: number;
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    exportCsv: {
        parameters: {
            query?: {
                /** @description Only pharmacies that the source marks active. */
                active_only?: boolean;
                /** @description The dataset as observed at this instant; the current one when absent. ISO 8601 UTC with date, time and zone. */
                as_of?: string;
                /** @description For opening in a spreadsheet: adds a byte order mark, and an apostrophe before text that would run as a formula. */
                spreadsheet?: boolean;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Territory code of the form ES-XX. */
                territory_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Changes-Cursor": components["headers"]["X-Changes-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example external_id,name,address_line,postal_code,city,province,territory_code,latitude,longitude,coordinate_source,owner_name,cnn_code,source_slug,official_source_name,official_source_url,official_last_modified_at,observed_at,is_active
                     *     B-17,Farmàcia del Mar,"Carrer Major, 12",08003,Barcelona,Barcelona,ES-CT,41.380425,2.189957,official,Marta Suposada Puig,,registro-es-ct,Registro inventado ES-CT,https://registro.example/farmacias,,2026-01-02T06:05:00.000Z,true
                     *     B-18,Farmàcia de la Font,"Carrer Major, 12",08003,Barcelona,Barcelona,ES-CT,,,,Marta Suposada Puig,,registro-es-ct,Registro inventado ES-CT,https://registro.example/farmacias,,2026-01-02T06:05:00.000Z,true
                     */
                    "text/csv": string;
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Changes-Cursor": components["headers"]["X-Changes-Cursor"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    exportJson: {
        parameters: {
            query?: {
                /** @description Only pharmacies that the source marks active. */
                active_only?: boolean;
                /** @description The dataset as observed at this instant; the current one when absent. ISO 8601 UTC with date, time and zone. */
                as_of?: string;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Territory code of the form ES-XX. */
                territory_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "territory_code": "ES-CT",
                     *       "generated_at": "2026-02-01T06:00:02.918Z",
                     *       "count": 2,
                     *       "changes_cursor": 9,
                     *       "items": [
                     *         {
                     *           "external_id": "B-17",
                     *           "name": "Farmàcia del Mar",
                     *           "address_line": "Carrer Major, 12",
                     *           "postal_code": "08003",
                     *           "city": "Barcelona",
                     *           "province": "Barcelona",
                     *           "territory_code": "ES-CT",
                     *           "latitude": 41.380425,
                     *           "longitude": 2.189957,
                     *           "coordinate_source": "official",
                     *           "owner_name": "Marta Suposada Puig",
                     *           "cnn_code": null,
                     *           "source_slug": "registro-es-ct",
                     *           "official_source_name": "Registro inventado ES-CT",
                     *           "official_source_url": "https://registro.example/farmacias",
                     *           "official_last_modified_at": null,
                     *           "observed_at": "2026-01-02T06:05:00.000Z",
                     *           "is_active": true
                     *         },
                     *         {
                     *           "external_id": "B-18",
                     *           "name": "Farmàcia de la Font",
                     *           "address_line": "Carrer Major, 12",
                     *           "postal_code": "08003",
                     *           "city": "Barcelona",
                     *           "province": "Barcelona",
                     *           "territory_code": "ES-CT",
                     *           "latitude": null,
                     *           "longitude": null,
                     *           "coordinate_source": null,
                     *           "owner_name": "Marta Suposada Puig",
                     *           "cnn_code": null,
                     *           "source_slug": "registro-es-ct",
                     *           "official_source_name": "Registro inventado ES-CT",
                     *           "official_source_url": "https://registro.example/farmacias",
                     *           "official_last_modified_at": null,
                     *           "observed_at": "2026-01-02T06:05:00.000Z",
                     *           "is_active": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Territory code of the form ES-XX, case-sensitive.
                         * @example ES-MD
                         */
                        territory_code: string;
                        /**
                         * Format: date-time
                         * @description Instant (ISO 8601 UTC) of the committed state shown; the same for every export of that state.
                         */
                        generated_at: string;
                        /** @description Number of records. */
                        count: number;
                        /** @description The last change this state includes: pass it as cursor to the changes and nothing is missed. */
                        changes_cursor: number;
                        /** @description The pharmacy records, by external_id. */
                        items: {
                            /**
                             * @description Identifier of the pharmacy within its territory; text, leading zeros kept.
                             * @example 2351
                             */
                            external_id: string;
                            /** @description Pharmacy name as published. */
                            name: string | null;
                            /** @description Street address line as published. */
                            address_line: string | null;
                            /** @description Postal code, five characters, leading zero kept. */
                            postal_code: string | null;
                            /** @description City or municipality as published. */
                            city: string | null;
                            /** @description Province as published or derived. */
                            province: string | null;
                            /**
                             * @description Territory code of the form ES-XX, case-sensitive.
                             * @example ES-MD
                             */
                            territory_code: string;
                            /** @description WGS84 latitude in degrees, six decimals; null when unknown. */
                            latitude: number | null;
                            /** @description WGS84 longitude in degrees, six decimals; null when unknown. */
                            longitude: number | null;
                            /** @description Origin of the coordinates; null exactly when there are none. */
                            coordinate_source: string | null;
                            /** @description Holder (titular) of the pharmacy; several holders joined. */
                            owner_name: string | null;
                            /** @description National code of the pharmacy. */
                            cnn_code: string | null;
                            /** @description Slug of the data source. */
                            source_slug: string;
                            /** @description Name of the official source. */
                            official_source_name: string;
                            /** @description URL of the official source. */
                            official_source_url: string;
                            /** @description Last modification time reported by the official source, ISO 8601 UTC; null unless the source gives one. */
                            official_last_modified_at: string | null;
                            /** @description Instant (ISO 8601 UTC) at which this content of the record was first observed; it does not move while the content does not. */
                            observed_at: string;
                            /** @description Whether the source marks the pharmacy active. */
                            is_active: boolean;
                        }[];
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    exportGeoJson: {
        parameters: {
            query?: {
                /** @description Only pharmacies that the source marks active. */
                active_only?: boolean;
                /** @description The dataset as observed at this instant; the current one when absent. ISO 8601 UTC with date, time and zone. */
                as_of?: string;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Territory code of the form ES-XX. */
                territory_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Changes-Cursor": components["headers"]["X-Changes-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "FeatureCollection",
                     *       "territory_code": "ES-CT",
                     *       "generated_at": "2026-02-01T06:00:02.918Z",
                     *       "count": 2,
                     *       "changes_cursor": 9,
                     *       "features": [
                     *         {
                     *           "type": "Feature",
                     *           "id": "B-17",
                     *           "geometry": {
                     *             "type": "Point",
                     *             "coordinates": [
                     *               2.189957,
                     *               41.380425
                     *             ]
                     *           },
                     *           "properties": {
                     *             "external_id": "B-17",
                     *             "name": "Farmàcia del Mar",
                     *             "address_line": "Carrer Major, 12",
                     *             "postal_code": "08003",
                     *             "city": "Barcelona",
                     *             "province": "Barcelona",
                     *             "territory_code": "ES-CT",
                     *             "latitude": 41.380425,
                     *             "longitude": 2.189957,
                     *             "coordinate_source": "official",
                     *             "owner_name": "Marta Suposada Puig",
                     *             "cnn_code": null,
                     *             "source_slug": "registro-es-ct",
                     *             "official_source_name": "Registro inventado ES-CT",
                     *             "official_source_url": "https://registro.example/farmacias",
                     *             "official_last_modified_at": null,
                     *             "observed_at": "2026-01-02T06:05:00.000Z",
                     *             "is_active": true
                     *           }
                     *         },
                     *         {
                     *           "type": "Feature",
                     *           "id": "B-18",
                     *           "geometry": null,
                     *           "properties": {
                     *             "external_id": "B-18",
                     *             "name": "Farmàcia de la Font",
                     *             "address_line": "Carrer Major, 12",
                     *             "postal_code": "08003",
                     *             "city": "Barcelona",
                     *             "province": "Barcelona",
                     *             "territory_code": "ES-CT",
                     *             "latitude": null,
                     *             "longitude": null,
                     *             "coordinate_source": null,
                     *             "owner_name": "Marta Suposada Puig",
                     *             "cnn_code": null,
                     *             "source_slug": "registro-es-ct",
                     *             "official_source_name": "Registro inventado ES-CT",
                     *             "official_source_url": "https://registro.example/farmacias",
                     *             "official_last_modified_at": null,
                     *             "observed_at": "2026-01-02T06:05:00.000Z",
                     *             "is_active": true
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/geo+json": {
                        /**
                         * @description Always FeatureCollection.
                         * @constant
                         */
                        type: "FeatureCollection";
                        /**
                         * @description Territory code of the form ES-XX, case-sensitive.
                         * @example ES-MD
                         */
                        territory_code: string;
                        /**
                         * Format: date-time
                         * @description Instant (ISO 8601 UTC) of the committed state shown; the same for every export of that state.
                         */
                        generated_at: string;
                        /** @description Number of records. */
                        count: number;
                        /** @description The last change this state includes: pass it as cursor to the changes and nothing is missed. */
                        changes_cursor: number;
                        /** @description The pharmacies, by external_id. */
                        features: {
                            /**
                             * @description Always Feature.
                             * @constant
                             */
                            type: "Feature";
                            /** @description The external_id of the pharmacy. */
                            id: string;
                            /** @description The place; null when the record has no coordinates. */
                            geometry: {
                                /**
                                 * @description Always Point.
                                 * @constant
                                 */
                                type: "Point";
                                /** @description WGS84 longitude and latitude in degrees, in this order (RFC 7946). */
                                coordinates: number[];
                            } | null;
                            /** @description The pharmacy record, whole. */
                            properties: {
                                /**
                                 * @description Identifier of the pharmacy within its territory; text, leading zeros kept.
                                 * @example 2351
                                 */
                                external_id: string;
                                /** @description Pharmacy name as published. */
                                name: string | null;
                                /** @description Street address line as published. */
                                address_line: string | null;
                                /** @description Postal code, five characters, leading zero kept. */
                                postal_code: string | null;
                                /** @description City or municipality as published. */
                                city: string | null;
                                /** @description Province as published or derived. */
                                province: string | null;
                                /**
                                 * @description Territory code of the form ES-XX, case-sensitive.
                                 * @example ES-MD
                                 */
                                territory_code: string;
                                /** @description WGS84 latitude in degrees, six decimals; null when unknown. */
                                latitude: number | null;
                                /** @description WGS84 longitude in degrees, six decimals; null when unknown. */
                                longitude: number | null;
                                /** @description Origin of the coordinates; null exactly when there are none. */
                                coordinate_source: string | null;
                                /** @description Holder (titular) of the pharmacy; several holders joined. */
                                owner_name: string | null;
                                /** @description National code of the pharmacy. */
                                cnn_code: string | null;
                                /** @description Slug of the data source. */
                                source_slug: string;
                                /** @description Name of the official source. */
                                official_source_name: string;
                                /** @description URL of the official source. */
                                official_source_url: string;
                                /** @description Last modification time reported by the official source, ISO 8601 UTC; null unless the source gives one. */
                                official_last_modified_at: string | null;
                                /** @description Instant (ISO 8601 UTC) at which this content of the record was first observed; it does not move while the content does not. */
                                observed_at: string;
                                /** @description Whether the source marks the pharmacy active. */
                                is_active: boolean;
                            };
                        }[];
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Changes-Cursor": components["headers"]["X-Changes-Cursor"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    exportNdjson: {
        parameters: {
            query?: {
                /** @description Only pharmacies that the source marks active. */
                active_only?: boolean;
                /** @description The dataset as observed at this instant; the current one when absent. ISO 8601 UTC with date, time and zone. */
                as_of?: string;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Territory code of the form ES-XX. */
                territory_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Changes-Cursor": components["headers"]["X-Changes-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {"external_id":"B-17","name":"Farmàcia del Mar","address_line":"Carrer Major, 12","postal_code":"08003","city":"Barcelona","province":"Barcelona","territory_code":"ES-CT","latitude":41.380425,"longitude":2.189957,"coordinate_source":"official","owner_name":"Marta Suposada Puig","cnn_code":null,"source_slug":"registro-es-ct","official_source_name":"Registro inventado ES-CT","official_source_url":"https://registro.example/farmacias","official_last_modified_at":null,"observed_at":"2026-01-02T06:05:00.000Z","is_active":true}
                     *     {"external_id":"B-18","name":"Farmàcia de la Font","address_line":"Carrer Major, 12","postal_code":"08003","city":"Barcelona","province":"Barcelona","territory_code":"ES-CT","latitude":null,"longitude":null,"coordinate_source":null,"owner_name":"Marta Suposada Puig","cnn_code":null,"source_slug":"registro-es-ct","official_source_name":"Registro inventado ES-CT","official_source_url":"https://registro.example/farmacias","official_last_modified_at":null,"observed_at":"2026-01-02T06:05:00.000Z","is_active":true}
                     */
                    "application/x-ndjson": {
                        /**
                         * @description Identifier of the pharmacy within its territory; text, leading zeros kept.
                         * @example 2351
                         */
                        external_id: string;
                        /** @description Pharmacy name as published. */
                        name: string | null;
                        /** @description Street address line as published. */
                        address_line: string | null;
                        /** @description Postal code, five characters, leading zero kept. */
                        postal_code: string | null;
                        /** @description City or municipality as published. */
                        city: string | null;
                        /** @description Province as published or derived. */
                        province: string | null;
                        /**
                         * @description Territory code of the form ES-XX, case-sensitive.
                         * @example ES-MD
                         */
                        territory_code: string;
                        /** @description WGS84 latitude in degrees, six decimals; null when unknown. */
                        latitude: number | null;
                        /** @description WGS84 longitude in degrees, six decimals; null when unknown. */
                        longitude: number | null;
                        /** @description Origin of the coordinates; null exactly when there are none. */
                        coordinate_source: string | null;
                        /** @description Holder (titular) of the pharmacy; several holders joined. */
                        owner_name: string | null;
                        /** @description National code of the pharmacy. */
                        cnn_code: string | null;
                        /** @description Slug of the data source. */
                        source_slug: string;
                        /** @description Name of the official source. */
                        official_source_name: string;
                        /** @description URL of the official source. */
                        official_source_url: string;
                        /** @description Last modification time reported by the official source, ISO 8601 UTC; null unless the source gives one. */
                        official_last_modified_at: string | null;
                        /** @description Instant (ISO 8601 UTC) at which this content of the record was first observed; it does not move while the content does not. */
                        observed_at: string;
                        /** @description Whether the source marks the pharmacy active. */
                        is_active: boolean;
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Changes-Cursor": components["headers"]["X-Changes-Cursor"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listTerritories: {
        parameters: {
            query?: never;
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "territory_code": "ES-CT",
                     *           "loaded": true,
                     *           "baseline_incremental_start_at": "2026-01-02T06:05:00.000Z",
                     *           "last_checked_at": "2026-02-01T06:00:02.941Z",
                     *           "last_changed_at": "2026-02-01T06:00:02.918Z",
                     *           "active": 2,
                     *           "inactive": 0,
                     *           "source_slug": "registro-es-ct"
                     *         },
                     *         {
                     *           "territory_code": "ES-MD",
                     *           "loaded": true,
                     *           "baseline_incremental_start_at": "2026-01-02T06:00:00.000Z",
                     *           "last_checked_at": "2026-02-01T06:00:02.941Z",
                     *           "last_changed_at": "2026-02-01T06:00:02.918Z",
                     *           "active": 3,
                     *           "inactive": 0,
                     *           "source_slug": "registro-es-md"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description By territory code: the loaded territories the key may see, and those of its scope not loaded yet. */
                        items: {
                            /**
                             * @description Territory code of the form ES-XX, case-sensitive.
                             * @example ES-MD
                             */
                            territory_code: string;
                            /** @description Whether a snapshot of the territory was ever committed. */
                            loaded: boolean;
                            /** @description Instant of its first snapshot, from which events exist; null until it is loaded. */
                            baseline_incremental_start_at: string | null;
                            /** @description When a load last looked at the source, also without finding a difference; null until loaded. */
                            last_checked_at: string | null;
                            /** @description When a load last changed something; null until it is loaded. */
                            last_changed_at: string | null;
                            /** @description Current pharmacies marked active. */
                            active: number;
                            /** @description Current pharmacies marked inactive. */
                            inactive: number;
                            /** @description Slug of its data source; null until it is loaded. */
                            source_slug: string | null;
                        }[];
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    showTerritoryDigest: {
        parameters: {
            query?: {
                /** @description The dataset as observed at this instant; the current one when absent. ISO 8601 UTC with date, time and zone. */
                as_of?: string;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Territory code of the form ES-XX. */
                territory_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "territory_code": "ES-CT",
                     *       "generated_at": "2026-02-01T06:00:02.918Z",
                     *       "changes_cursor": 9,
                     *       "count": 2,
                     *       "digest": "fbcf03fcc0b4e4437d4d485661673d2e"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Territory code of the form ES-XX, case-sensitive.
                         * @example ES-MD
                         */
                        territory_code: string;
                        /**
                         * Format: date-time
                         * @description Instant (ISO 8601 UTC) of the committed state shown; the same for every export of that state.
                         */
                        generated_at: string;
                        /** @description Number of records. */
                        count: number;
                        /** @description The last change this state includes: pass it as cursor to the changes and nothing is missed. */
                        changes_cursor: number;
                        /** @description Digest of the records in any order, 32 hexadecimal digits: the sum modulo 2^128 of the first 16 bytes (big-endian) of the SHA-256 of each record, written as a JSON array of its 18 fields in CSV column order, without blanks, coordinates as whole millionths of a degree. */
                        digest: string;
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listLoads: {
        parameters: {
            query?: {
                /** @description Only these territories: comma-separated ES-XX codes, at most 100. */
                territories?: string[];
                /** @description Number of items on a page. */
                limit?: number;
                /** @description next_cursor of the page before, sent with the same parameters; limit may change. */
                cursor?: string;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "run_id": "es-md-3",
                     *           "source_slug": "registro-es-md",
                     *           "territory_code": "ES-MD",
                     *           "status": "committed",
                     *           "observed_at": "2026-02-01T06:00:00.000Z",
                     *           "started_at": "2026-02-01T06:00:01.207Z",
                     *           "finished_at": "2026-02-01T06:00:02.954Z",
                     *           "baseline": false,
                     *           "renormalised": false,
                     *           "counts": {
                     *             "read": 3,
                     *             "rejected": 0,
                     *             "duplicates": 0,
                     *             "added": 1,
                     *             "updated": 2,
                     *             "removed": 1,
                     *             "unchanged": 0
                     *           },
                     *           "events": {
                     *             "opened": 1,
                     *             "closed_hard": 1,
                     *             "closed_soft": 0,
                     *             "reopened": 0,
                     *             "relocated": 1,
                     *             "ownership_change": 1
                     *           },
                     *           "reasons": [],
                     *           "warnings": [],
                     *           "error": null
                     *         }
                     *       ],
                     *       "next_cursor": "zDtKBOxT3tP3WzEsImxpc3RMb2FkcyIsIlQxUE5vWXdycWd3RFZMdGYiLG51bGwsbnVsbCwzLDNd"
                     *     }
                     */
                    "application/json": {
                        /** @description The newest run first. */
                        items: {
                            /** @description Identifier of the run. */
                            run_id: string;
                            /** @description Slug of the data source. */
                            source_slug: string;
                            /**
                             * @description Territory code of the form ES-XX, case-sensitive.
                             * @example ES-MD
                             */
                            territory_code: string;
                            /**
                             * @description What became of it: only a committed run changed what is served; an unchanged one found no difference.
                             * @enum {unknown}
                             */
                            status: "running" | "committed" | "unchanged" | "quarantined" | "failed" | "rejected" | "abandoned";
                            /**
                             * Format: date-time
                             * @description Instant of the snapshot: when its fetch began, or the date it was given.
                             */
                            observed_at: string;
                            /**
                             * Format: date-time
                             * @description When the run began.
                             */
                            started_at: string;
                            /** @description When the run ended; null while it runs. */
                            finished_at: string | null;
                            /** @description Whether it is the first of its territory. */
                            baseline: boolean;
                            /** @description Whether it only applied a changed source definition to the snapshot before. */
                            renormalised: boolean;
                            /** @description Numbers of records; of a quarantined run, what it would have done. */
                            counts: {
                                /** @description Records of the source, before filtering. */
                                read: number;
                                /** @description Records refused. */
                                rejected: number;
                                /** @description Records beyond the first of their identifier. */
                                duplicates: number;
                                /** @description Pharmacies that were not there before. */
                                added: number;
                                /** @description Pharmacies whose record changed. */
                                updated: number;
                                /** @description Pharmacies that vanished. */
                                removed: number;
                                /** @description Pharmacies whose record stayed as it was. */
                                unchanged: number;
                            };
                            /** @description Numbers of business events by kind. */
                            events: {
                                /** @description Number of opened events. */
                                opened: number;
                                /** @description Number of closed_hard events. */
                                closed_hard: number;
                                /** @description Number of closed_soft events. */
                                closed_soft: number;
                                /** @description Number of reopened events. */
                                reopened: number;
                                /** @description Number of relocated events. */
                                relocated: number;
                                /** @description Number of ownership_change events. */
                                ownership_change: number;
                            };
                            /** @description Why the run failed or was quarantined; empty otherwise. */
                            reasons: {
                                /**
                                 * @description Stable name of the reason.
                                 * @enum {unknown}
                                 */
                                code: "http_status" | "tls" | "timeout" | "too_large" | "truncated_body" | "incomplete_record" | "unexpected_content" | "encoding" | "source_error" | "records_path_missing" | "paging_unstable" | "empty_dataset" | "missing_column" | "duplicate_column" | "too_many_rejected" | "too_many_conflicts" | "below_min_rows" | "older_snapshot" | "future_snapshot" | "mass_removal" | "mass_soft_close" | "mass_relocation" | "id_scheme_change" | "mass_growth" | "source_unavailable" | "superseded" | "archive_missing" | "lease_lost" | "store_unavailable" | "stopped" | "internal";
                                /** @description The reason in words. */
                                detail: string;
                            }[];
                            /** @description What was odd in the source and did not stop the run. */
                            warnings: {
                                /**
                                 * @description Stable name of the warning.
                                 * @enum {unknown}
                                 */
                                code: "rejected_known_id" | "bad_postal_code" | "coordinates_outside" | "coordinates_invalid" | "null_island" | "duplicate_conflict" | "mojibake" | "identity_reuse_suspected" | "row_rejected";
                                /** @description How often it occurred. */
                                count: number;
                                /** @description One occurrence. */
                                example: string;
                                /** @description The first few occurrences, up to five; only where there are several. */
                                examples?: string[];
                            }[];
                            /** @description What went wrong, in one sentence; null when nothing did. */
                            error: string | null;
                        }[];
                        /** @description Send it as cursor, with the same parameters, for the next page; null exactly when nothing follows. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    searchPharmacies: {
        parameters: {
            query?: {
                /** @description Words of the name, the holder, the address or the city, in any order. All must occur; the last one may be the beginning of a word. Case, accents and punctuation do not count. */
                q?: string;
                /** @description Only these territories: comma-separated ES-XX codes, at most 100. */
                territories?: string[];
                /** @description Province, in any of its official names. */
                province?: string;
                /** @description City; case, accents and punctuation do not count. */
                city?: string;
                /** @description Only pharmacies that the source marks active. */
                active_only?: boolean;
                /** @description Latitude in degrees of a point; orders the result by the distance from it. */
                near_latitude?: number;
                /** @description Longitude in degrees of that point. */
                near_longitude?: number;
                /** @description Only within so many metres of the point. A record without coordinates never is. */
                radius_meters?: number;
                /** @description The records as observed at this instant; the current ones when absent. Territories without a baseline by then have none. ISO 8601 UTC with date, time and zone. */
                as_of?: string;
                /** @description Number of items on a page. */
                limit?: number;
                /** @description next_cursor of the page before, sent with the same parameters; limit may change. */
                cursor?: string;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "external_id": "0071",
                     *           "name": "Farmacia del Sol",
                     *           "address_line": "Plaza del Sol, 12",
                     *           "postal_code": "28013",
                     *           "city": "Madrid",
                     *           "province": "Madrid",
                     *           "territory_code": "ES-MD",
                     *           "latitude": 40.417123,
                     *           "longitude": -3.703456,
                     *           "coordinate_source": "official",
                     *           "owner_name": "Ana Inventada López",
                     *           "cnn_code": null,
                     *           "source_slug": "registro-es-md",
                     *           "official_source_name": "Registro inventado ES-MD",
                     *           "official_source_url": "https://registro.example/farmacias",
                     *           "official_last_modified_at": null,
                     *           "observed_at": "2026-02-01T06:00:00.000Z",
                     *           "is_active": true,
                     *           "distance_meters": 46.23
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description By distance around a point, else by territory_code and external_id (code points); the latter also order equal distances. */
                        items: {
                            /**
                             * @description Identifier of the pharmacy within its territory; text, leading zeros kept.
                             * @example 2351
                             */
                            external_id: string;
                            /** @description Pharmacy name as published. */
                            name: string | null;
                            /** @description Street address line as published. */
                            address_line: string | null;
                            /** @description Postal code, five characters, leading zero kept. */
                            postal_code: string | null;
                            /** @description City or municipality as published. */
                            city: string | null;
                            /** @description Province as published or derived. */
                            province: string | null;
                            /**
                             * @description Territory code of the form ES-XX, case-sensitive.
                             * @example ES-MD
                             */
                            territory_code: string;
                            /** @description WGS84 latitude in degrees, six decimals; null when unknown. */
                            latitude: number | null;
                            /** @description WGS84 longitude in degrees, six decimals; null when unknown. */
                            longitude: number | null;
                            /** @description Origin of the coordinates; null exactly when there are none. */
                            coordinate_source: string | null;
                            /** @description Holder (titular) of the pharmacy; several holders joined. */
                            owner_name: string | null;
                            /** @description National code of the pharmacy. */
                            cnn_code: string | null;
                            /** @description Slug of the data source. */
                            source_slug: string;
                            /** @description Name of the official source. */
                            official_source_name: string;
                            /** @description URL of the official source. */
                            official_source_url: string;
                            /** @description Last modification time reported by the official source, ISO 8601 UTC; null unless the source gives one. */
                            official_last_modified_at: string | null;
                            /** @description Instant (ISO 8601 UTC) at which this content of the record was first observed; it does not move while the content does not. */
                            observed_at: string;
                            /** @description Whether the source marks the pharmacy active. */
                            is_active: boolean;
                            /** @description Great circle from the point asked for, in metres; null when none was. */
                            distance_meters: number | null;
                        }[];
                        /** @description Send it as cursor, with the same parameters, for the next page; null exactly when nothing follows. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    showPharmacy: {
        parameters: {
            query?: {
                /** @description What was known as observed at this instant; everything when absent. ISO 8601 UTC with date, time and zone. */
                as_of?: string;
            };
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Territory code of the form ES-XX. */
                territory_code: string;
                /** @description Identifier of the pharmacy within its territory; text, leading zeros kept. */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "territory_code": "ES-MD",
                     *       "external_id": "0071",
                     *       "record": {
                     *         "external_id": "0071",
                     *         "name": "Farmacia del Sol",
                     *         "address_line": "Plaza del Sol, 12",
                     *         "postal_code": "28013",
                     *         "city": "Madrid",
                     *         "province": "Madrid",
                     *         "territory_code": "ES-MD",
                     *         "latitude": 40.417123,
                     *         "longitude": -3.703456,
                     *         "coordinate_source": "official",
                     *         "owner_name": "Ana Inventada López",
                     *         "cnn_code": null,
                     *         "source_slug": "registro-es-md",
                     *         "official_source_name": "Registro inventado ES-MD",
                     *         "official_source_url": "https://registro.example/farmacias",
                     *         "official_last_modified_at": null,
                     *         "observed_at": "2026-02-01T06:00:00.000Z",
                     *         "is_active": true
                     *       },
                     *       "events": [
                     *         {
                     *           "event_id": "1",
                     *           "event_type": "relocated",
                     *           "occurred_at": "2026-02-01T06:00:00.000Z",
                     *           "territory_code": "ES-MD",
                     *           "external_id": "0071",
                     *           "name": "Farmacia del Sol",
                     *           "run_id": "es-md-3",
                     *           "old": {
                     *             "address_line": "Calle Mayor, 5",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "province": "Madrid",
                     *             "latitude": 40.416775,
                     *             "longitude": -3.703791
                     *           },
                     *           "new": {
                     *             "address_line": "Plaza del Sol, 12",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "province": "Madrid",
                     *             "latitude": 40.417123,
                     *             "longitude": -3.703456
                     *           }
                     *         }
                     *       ],
                     *       "versions": [
                     *         {
                     *           "committed_at": "2026-02-01T06:00:02.918Z",
                     *           "ended_at": null,
                     *           "record": {
                     *             "external_id": "0071",
                     *             "name": "Farmacia del Sol",
                     *             "address_line": "Plaza del Sol, 12",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "province": "Madrid",
                     *             "territory_code": "ES-MD",
                     *             "latitude": 40.417123,
                     *             "longitude": -3.703456,
                     *             "coordinate_source": "official",
                     *             "owner_name": "Ana Inventada López",
                     *             "cnn_code": null,
                     *             "source_slug": "registro-es-md",
                     *             "official_source_name": "Registro inventado ES-MD",
                     *             "official_source_url": "https://registro.example/farmacias",
                     *             "official_last_modified_at": null,
                     *             "observed_at": "2026-02-01T06:00:00.000Z",
                     *             "is_active": true
                     *           }
                     *         },
                     *         {
                     *           "committed_at": "2026-02-01T06:00:02.918Z",
                     *           "ended_at": "2026-02-01T06:00:02.918Z",
                     *           "record": {
                     *             "external_id": "0071",
                     *             "name": "Farmacia del Sol",
                     *             "address_line": "Calle Mayor, 5",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "province": "Madrid",
                     *             "territory_code": "ES-MD",
                     *             "latitude": 40.416775,
                     *             "longitude": -3.703791,
                     *             "coordinate_source": "official",
                     *             "owner_name": "Ana Inventada López",
                     *             "cnn_code": null,
                     *             "source_slug": "registro-es-md",
                     *             "official_source_name": "Registro inventado ES-MD",
                     *             "official_source_url": "https://registro.example/farmacias",
                     *             "official_last_modified_at": null,
                     *             "observed_at": "2026-01-02T06:00:00.000Z",
                     *             "is_active": true
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Territory code of the form ES-XX, case-sensitive.
                         * @example ES-MD
                         */
                        territory_code: string;
                        /** @description Identifier of the pharmacy within its territory; text, leading zeros kept. */
                        external_id: string;
                        /** @description The current record, or that at as_of; null when it is not in the official dataset. */
                        record: {
                            /**
                             * @description Identifier of the pharmacy within its territory; text, leading zeros kept.
                             * @example 2351
                             */
                            external_id: string;
                            /** @description Pharmacy name as published. */
                            name: string | null;
                            /** @description Street address line as published. */
                            address_line: string | null;
                            /** @description Postal code, five characters, leading zero kept. */
                            postal_code: string | null;
                            /** @description City or municipality as published. */
                            city: string | null;
                            /** @description Province as published or derived. */
                            province: string | null;
                            /**
                             * @description Territory code of the form ES-XX, case-sensitive.
                             * @example ES-MD
                             */
                            territory_code: string;
                            /** @description WGS84 latitude in degrees, six decimals; null when unknown. */
                            latitude: number | null;
                            /** @description WGS84 longitude in degrees, six decimals; null when unknown. */
                            longitude: number | null;
                            /** @description Origin of the coordinates; null exactly when there are none. */
                            coordinate_source: string | null;
                            /** @description Holder (titular) of the pharmacy; several holders joined. */
                            owner_name: string | null;
                            /** @description National code of the pharmacy. */
                            cnn_code: string | null;
                            /** @description Slug of the data source. */
                            source_slug: string;
                            /** @description Name of the official source. */
                            official_source_name: string;
                            /** @description URL of the official source. */
                            official_source_url: string;
                            /** @description Last modification time reported by the official source, ISO 8601 UTC; null unless the source gives one. */
                            official_last_modified_at: string | null;
                            /** @description Instant (ISO 8601 UTC) at which this content of the record was first observed; it does not move while the content does not. */
                            observed_at: string;
                            /** @description Whether the source marks the pharmacy active. */
                            is_active: boolean;
                        } | null;
                        /** @description Its business events through every life of the identifier, newest first. */
                        events: {
                            /**
                             * @description Identifier of the event: a growing number, as text; unique and never reused.
                             * @example 1204
                             */
                            event_id: string;
                            /**
                             * @description Kind of business event. opened: an identifier that was not there before; closed_hard: the record vanished from the official dataset; closed_soft: it is kept, marked inactive; reopened: active again; relocated: address_line, postal_code, city or province changed; ownership_change: the holder changed.
                             * @enum {unknown}
                             */
                            event_type: "opened" | "closed_hard" | "closed_soft" | "reopened" | "relocated" | "ownership_change";
                            /**
                             * Format: date-time
                             * @description When the difference was observed: the instant (ISO 8601 UTC) of the snapshot that showed it. A pharmacy that vanishes and returns has one event for each.
                             */
                            occurred_at: string;
                            /**
                             * @description Territory code of the form ES-XX, case-sensitive.
                             * @example ES-MD
                             */
                            territory_code: string;
                            /** @description Identifier of the pharmacy within its territory; text, leading zeros kept. */
                            external_id: string;
                            /** @description Pharmacy name at the time of the event; null when the source has none. */
                            name: string | null;
                            /** @description Identifier of the load run that found the event. */
                            run_id: string;
                            /** @description Before the event. Empty for opened; otherwise the fields that matter to the kind of event. */
                            old: {
                                /** @description Pharmacy name as published; null when the source has none. */
                                name?: string | null;
                                /** @description Holder (titular) as published; null when unknown. */
                                owner_name?: string | null;
                                /** @description Whether the source marks the pharmacy active. */
                                is_active?: boolean;
                                /** @description Street address line as published; null when the source has none. */
                                address_line?: string | null;
                                /** @description Postal code, five characters, leading zero kept; null when unknown. */
                                postal_code?: string | null;
                                /** @description City or municipality as published; null when unknown. */
                                city?: string | null;
                                /** @description Province as published or derived; null when unknown. */
                                province?: string | null;
                                /** @description WGS84 latitude in degrees; null when unknown. */
                                latitude?: number | null;
                                /** @description WGS84 longitude in degrees; null when unknown. */
                                longitude?: number | null;
                            };
                            /** @description After the event. Empty for closed_hard; otherwise the fields that matter to the kind of event. */
                            new: {
                                /** @description Pharmacy name as published; null when the source has none. */
                                name?: string | null;
                                /** @description Holder (titular) as published; null when unknown. */
                                owner_name?: string | null;
                                /** @description Whether the source marks the pharmacy active. */
                                is_active?: boolean;
                                /** @description Street address line as published; null when the source has none. */
                                address_line?: string | null;
                                /** @description Postal code, five characters, leading zero kept; null when unknown. */
                                postal_code?: string | null;
                                /** @description City or municipality as published; null when unknown. */
                                city?: string | null;
                                /** @description Province as published or derived; null when unknown. */
                                province?: string | null;
                                /** @description WGS84 latitude in degrees; null when unknown. */
                                latitude?: number | null;
                                /** @description WGS84 longitude in degrees; null when unknown. */
                                longitude?: number | null;
                            };
                        }[];
                        /** @description Every content of its record through every life of the identifier, newest first. */
                        versions: {
                            /**
                             * Format: date-time
                             * @description Instant (ISO 8601 UTC) at which this content became the served one.
                             */
                            committed_at: string;
                            /** @description Instant at which it ceased to be served: another content followed, or the pharmacy vanished; null while it is served. */
                            ended_at: string | null;
                            /** @description One normalised pharmacy record. */
                            record: {
                                /**
                                 * @description Identifier of the pharmacy within its territory; text, leading zeros kept.
                                 * @example 2351
                                 */
                                external_id: string;
                                /** @description Pharmacy name as published. */
                                name: string | null;
                                /** @description Street address line as published. */
                                address_line: string | null;
                                /** @description Postal code, five characters, leading zero kept. */
                                postal_code: string | null;
                                /** @description City or municipality as published. */
                                city: string | null;
                                /** @description Province as published or derived. */
                                province: string | null;
                                /**
                                 * @description Territory code of the form ES-XX, case-sensitive.
                                 * @example ES-MD
                                 */
                                territory_code: string;
                                /** @description WGS84 latitude in degrees, six decimals; null when unknown. */
                                latitude: number | null;
                                /** @description WGS84 longitude in degrees, six decimals; null when unknown. */
                                longitude: number | null;
                                /** @description Origin of the coordinates; null exactly when there are none. */
                                coordinate_source: string | null;
                                /** @description Holder (titular) of the pharmacy; several holders joined. */
                                owner_name: string | null;
                                /** @description National code of the pharmacy. */
                                cnn_code: string | null;
                                /** @description Slug of the data source. */
                                source_slug: string;
                                /** @description Name of the official source. */
                                official_source_name: string;
                                /** @description URL of the official source. */
                                official_source_url: string;
                                /** @description Last modification time reported by the official source, ISO 8601 UTC; null unless the source gives one. */
                                official_last_modified_at: string | null;
                                /** @description Instant (ISO 8601 UTC) at which this content of the record was first observed; it does not move while the content does not. */
                                observed_at: string;
                                /** @description Whether the source marks the pharmacy active. */
                                is_active: boolean;
                            };
                        }[];
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    showKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3f9c1a7be204",
                     *       "name": "Panel de control",
                     *       "territories": null,
                     *       "expires_at": null,
                     *       "rate_limit": {
                     *         "limit": 600,
                     *         "remaining": 599,
                     *         "reset_seconds": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Identifier of the key; not a secret. */
                        id: string;
                        /** @description Name the key was issued under. */
                        name: string;
                        /** @description Territories the key may see; null for all. */
                        territories: string[] | null;
                        /** @description When the key stops working, ISO 8601 UTC; null when never. */
                        expires_at: string | null;
                        /** @description Rate limit of the key on this process; null when rates are not limited. */
                        rate_limit: {
                            /** @description Requests per minute, and at once. */
                            limit: number;
                            /** @description Requests left at this moment. */
                            remaining: number;
                            /** @description Seconds until all are left again. */
                            reset_seconds: number;
                        } | null;
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    healthLive: {
        parameters: {
            query?: never;
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always ok; anything else is a problem.
                         * @constant
                         */
                        status: "ok";
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    healthReady: {
        parameters: {
            query?: never;
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always ok; anything else is a problem.
                         * @constant
                         */
                        status: "ok";
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    openApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced. */
                "X-Request-Id"?: string;
                /** @description The ETag of an earlier answer; 304 without a body while it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Version of OpenAPI. */
                        openapi: string;
                    };
                };
            };
            /** @description Nothing changed since the answer whose ETag was sent in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
}

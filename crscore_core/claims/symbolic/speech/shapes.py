"""Which shape a node of a grammar has: the types of nodes of all ten grammars, by shape."""

from crscore_core.claims.symbolic.speech.terms import Kind

_TYPES = {
    Kind.NAME: """
        identifier property_identifier field_identifier constant name variable_name
        shorthand_property_identifier shorthand_property_identifier_pattern package_identifier
        namespace_identifier statement_identifier instance_variable class_variable global_variable
        simple_symbol hash_key_symbol private_property_identifier simple_identifier dotted_name
        qualified_identifier qualified_name scoped_identifier scope_resolution template_function
        generic_name null_literal null none nil undefined true false true_literal boolean_literal
        boolean nullptr implicit_parameter asterisk dynamic_variable_name discard iota
        dependent_name this_type relative_scope class_literal method_reference
    """,
    Kind.SELF: "this self this_expression base base_expression super",
    Kind.TYPE: """
        type type_identifier predefined_type primitive_type integral_type floating_point_type
        boolean_type void_type named_type generic_type array_type slice_type map_type pointer_type
        type_descriptor template_type nullable_type union_type scoped_type_identifier
        optional_type sized_type_specifier struct_specifier qualified_type implicit_type cast_type
        channel_type function_type struct_type interface_type literal_type
    """,
    Kind.NUMBER: """
        integer float number number_literal decimal_integer_literal hex_integer_literal
        octal_integer_literal binary_integer_literal decimal_floating_point_literal int_literal
        float_literal integer_literal real_literal imaginary_literal rational complex
    """,
    Kind.TEXT: """
        string string_literal interpreted_string_literal raw_string_literal char_literal
        character_literal rune_literal verbatim_string_literal template_string encapsed_string
        interpolated_string_expression concatenated_string chained_string bare_string regex
        regex_literal delimited_symbol bare_symbol character subshell
    """,
    Kind.BINARY: """
        binary_operator boolean_operator comparison_operator binary_expression binary
        instanceof_expression is_pattern_expression is_expression range range_expression
    """,
    Kind.UNARY: """
        unary_operator not_operator unary_expression unary unary_op_expression
        prefix_unary_expression postfix_unary_expression update_expression inc_statement
        dec_statement pointer_expression await await_expression co_await_expression
        typeof_expression sizeof_expression negated_pattern
    """,
    Kind.CALL: """
        call call_expression method_invocation invocation_expression function_call_expression
        member_call_expression nullsafe_member_call_expression scoped_call_expression
        explicit_constructor_invocation
    """,
    Kind.NEW: """
        new_expression object_creation_expression implicit_object_creation_expression
        composite_literal compound_literal_expression
    """,
    Kind.MEMBER: """
        attribute member_expression field_access selector_expression member_access_expression
        nullsafe_member_access_expression field_expression conditional_access_expression
        class_constant_access_expression scoped_property_access_expression
    """,
    Kind.SUBSCRIPT: """
        subscript subscript_expression array_access index_expression element_access_expression
        element_reference slice_expression
    """,
    Kind.CHOICE: "conditional_expression ternary_expression conditional",
    Kind.FUNCTION: """
        lambda lambda_expression arrow_function function_expression func_literal
        anonymous_function anonymous_function_creation_expression anonymous_method_expression
        generator_function block do_block
    """,
    Kind.LIST: """
        list set array array_initializer initializer_list initializer_expression string_array
        symbol_array array_creation_expression implicit_array_creation_expression literal_value
        collection_expression
    """,
    Kind.TUPLE: """
        tuple expression_list pattern_list tuple_pattern left_assignment_list
        right_assignment_list list_literal object_pattern array_pattern argument_list arguments
        tuple_expression sequence_expression bracketed_argument_list rest_assignment
    """,
    Kind.MAP: "dictionary object hash",
    Kind.PAIR: """
        pair keyed_element keyword_argument array_element_initializer initializer_pair
        jsx_attribute pair_pattern
    """,
    Kind.SPREAD: """
        spread_element list_splat dictionary_splat splat_argument hash_splat_argument
        variadic_argument variadic_unpacking list_splat_pattern rest_pattern
    """,
    Kind.CAST: """
        cast_expression as_expression satisfies_expression type_assertion_expression
        type_conversion_expression type_assertion
    """,
    Kind.EACH: """
        list_comprehension set_comprehension dictionary_comprehension generator_expression
    """,
    Kind.ELEMENT: "jsx_element jsx_self_closing_element jsx_opening_element jsx_fragment",
    Kind.ASSIGN: """
        assignment augmented_assignment assignment_expression augmented_assignment_expression
        assignment_statement short_var_declaration operator_assignment named_expression
        reference_assignment_expression send_statement
    """,
    Kind.DECLARE: """
        local_variable_declaration lexical_declaration variable_declaration declaration
        field_declaration public_field_definition field_definition property_declaration
        local_declaration_statement var_declaration const_declaration property_signature
        function_static_declaration type_alias_declaration alias_declaration type_alias type_spec
    """,
    Kind.RETURN: "return_statement return",
    Kind.THROW: "throw_statement throw_expression raise_statement",
    Kind.ASSERT: "assert_statement",
    Kind.DELETE: "delete_statement delete_expression unset_statement",
    Kind.PRINT: "echo_statement print_intrinsic",
    Kind.YIELD: "yield yield_statement yield_expression",
    Kind.START: "go_statement defer_statement",
    Kind.IF: """
        if_statement if unless switch_statement switch_expression expression_switch_statement
        type_switch_statement case match_expression elsif
    """,
    Kind.WHILE: "while_statement while until do_statement",
    Kind.OVER: """
        enhanced_for_statement for_in_statement foreach_statement for_range_loop for
    """,
    Kind.COUNT: "for_statement",
    Kind.MODIFIED: "if_modifier unless_modifier while_modifier until_modifier rescue_modifier",
    Kind.USE: """
        with_statement using_statement try_with_resources_statement synchronized_statement
        lock_statement
    """,
    Kind.JUMP: """
        break_statement continue_statement pass_statement goto_statement break next redo
        fallthrough_statement
    """,
}

SHAPES = {name: kind for kind, names in _TYPES.items() for name in names.split()}
"""The shape of each type of node that has one."""

INNER = frozenset(
    """
    module program source_file translation_unit compilation_unit global_statement
    expression_statement parenthesized_expression argument literal_element condition_clause
    constant_pattern parenthesized_statements block_argument jsx_expression
    non_null_expression error_suppression_expression as_pattern export_statement
    parenthesized_pattern statement_list type_annotation body_statement block_body
    reference_modifier default_expression checked_expression pattern in ref_expression
    expression_case exceptions parenthesized_argument_list
    """.split()
)
"""Types of nodes that say nothing but what they hold first."""

STRING_PIECES = frozenset(
    """
    string_content string_fragment escape_sequence interpreted_string_literal_content
    raw_string_literal_content string_literal_content character heredoc_content regex_pattern
    raw_string_content multiline_string_fragment string_literal_encoding verbatim_string_content
    character_literal_content
    """.split()
)
"""Types of nodes that are text within quotes."""

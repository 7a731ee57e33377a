/* A program whose library uses libibverbs: it comes behind the C library in the order of search. */
int program(int argc, char **argv);

int main(int argc, char **argv)
{
	return program(argc, argv);
}
